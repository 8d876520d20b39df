/**
 * The program: what `session-server` does from its first word to its exit code.
 *
 * Contract   stdout gets one line, `listening on http://HOST:PORT`, when requests are answered; logs
 *            go to stderr. Exit codes: exit-codes.ts. A second signal ends the program at once;
 *            the kernel then takes the children with it.
 */
import { accessSync, constants, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { HubError } from "../checkpoint-hub/hub-error.ts";
import { localCheckpoint } from "../checkpoint-hub/local-checkpoint.ts";
import type { ServerConfig } from "../config.ts";
import { errorText } from "../errors.ts";
import { readChildParameters } from "../lifecycle/child-contract.ts";
import { faultText } from "../lifecycle/expected-fault.ts";
import { liveAsChild } from "../lifecycle/life-as-child.ts";
import { requireSettingFiles } from "../lifecycle/setting-files.ts";
import { failureGraceMs } from "../limits.ts";
import { configureLog, log } from "../log.ts";
import { inNames, type SettingNames, UsageError } from "../usage-error.ts";
import { type CommandLine, parseCommandLine } from "./command-line.ts";
import { configurationFrom } from "./configuration.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { usage, version } from "./help.ts";
import { startRole, verify } from "./roles.ts";
import { type Serving, type Starting, startServing } from "./serve.ts";
import { settingNames } from "./setting-names.ts";

const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

export async function main(words: readonly string[]): Promise<void> {
  const child = readChildParameters(process.env);
  if (child !== null) {
    configureLog(child.name, child.config.logLevel, child.config.logFormat);
    return liveAsChild(child, () => startRole(child));
  }
  // Nobody may be there to read it; a server is wanted all the same, and an exit code as well.
  process.stdout.on("error", () => {});
  process.on("uncaughtException", endOnBug);
  process.on("unhandledRejection", endOnBug);
  process.exit(await run(words).catch(endOnBug));
}

/** A wrong setting ends it with one line, also when a process had to be started to find out. */
async function run(words: readonly string[]): Promise<ExitCode> {
  try {
    return await carryOut(parseCommandLine(words, process.env));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`session-server: ${faultText(error)}\n`);
    return exitCodes.usage;
  }
}

async function carryOut(line: CommandLine): Promise<ExitCode> {
  if (line.kind === "help") return print(await usage(process.stdout.columns));
  if (line.kind === "version") return print(version);
  const config = configurationFrom(line.texts);
  const names = settingNames(line.texts);
  configureLog("session-server", config.logLevel, config.logFormat);
  for (const { level, message } of line.remarks) log[level](message);
  const local = await withLocalCheckpoint(config, names);
  if (local === null) return exitCodes.cannotStart;
  if (line.kind === "verify") return runVerification(local, names);
  return serveUntilStopped(startServing(local, names));
}

async function runVerification(config: ServerConfig, names: SettingNames): Promise<ExitCode> {
  requireSettingFiles(config, names);
  if (config.hfCheckpoint === null) {
    log.warn(`no ${names.name("hfCheckpoint")}: only the bundled demo checkpoint is verified`);
  }
  try {
    return (await verify(config)) ? exitCodes.ok : exitCodes.cannotStart;
  } catch (error) {
    throw inNames(error, names);
  }
}

/** The configuration with a directory for a checkpoint; null, and logged, when there is none. */
async function withLocalCheckpoint(
  config: ServerConfig,
  names: SettingNames,
): Promise<ServerConfig | null> {
  const { hfCheckpoint } = config;
  if (hfCheckpoint === null) return config;
  try {
    const directory = await localCheckpoint(hfCheckpoint, process.env, process.stderr);
    return { ...config, hfCheckpoint: directory };
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    log.error(`cannot start: ${names.given("hfCheckpoint")}: ${error.message}`);
    return null;
  }
}

async function serveUntilStopped(starting: Starting): Promise<ExitCode> {
  const stopAsked = signalReceived();
  let serving: Serving | "stop";
  try {
    serving = await Promise.race([starting.serving, stopAsked]);
  } catch (error) {
    await starting.stop();
    if (error instanceof UsageError) throw error;
    log.error(`cannot start: ${faultText(error)}${unpackingHint()}`);
    return exitCodes.cannotStart;
  }
  if (serving === "stop") {
    starting.serving.catch(() => {});
    await starting.stop();
    return exitCodes.ok;
  }
  process.stdout.write(`listening on ${serving.url}\n`);
  const end = await Promise.race([serving.failed, stopAsked]);
  if (end === "stop") {
    log.info("stopping");
    await serving.stop();
    return exitCodes.ok;
  }
  log.error(end.message);
  await serving.stop(failureGraceMs);
  return exitCodes.failed;
}

/** Whatever state a bug left behind is not to be trusted: the kernel takes the children with us. */
function endOnBug(error: unknown): never {
  log.error("ended by a bug", error);
  process.exit(exitCodes.failed);
}

/** Resolves with the first signal that asks to stop; a second one ends the program at once. */
function signalReceived(): Promise<"stop"> {
  const received = Promise.withResolvers<"stop">();
  let count = 0;
  for (const signal of stopSignals) {
    // nohup: who starts a program so wants it to outlive the terminal.
    if (signal === "SIGHUP" && isHangupIgnored()) continue;
    process.on(signal, () => {
      count += 1;
      if (count > 1) process.exit(exitCodes.ok);
      received.resolve("stop");
    });
  }
  return received.promise;
}

/**
 * Whether SIGHUP was ignored when this process began, told by the first bit of the kernel's mask.
 */
function isHangupIgnored(): boolean {
  try {
    const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
    return (Number.parseInt(mask?.slice(-1) ?? "0", 16) & 1) === 1;
  } catch {
    // No /proc on this system: a hangup stops the server.
    return false;
  }
}

/** The executable unpacks its native library at the first start, and cannot say so itself. */
function unpackingHint(): string {
  if (!Bun.isStandaloneExecutable) return "";
  const directory = process.env["BUN_TMPDIR"] ?? tmpdir();
  try {
    accessSync(directory, constants.W_OK);
    return "";
  } catch (error) {
    return ` (nothing can be unpacked into TMPDIR: ${errorText(error)})`;
  }
}

function print(text: string): ExitCode {
  // no-color.org: an empty NO_COLOR counts as absent.
  const colours = process.stdout.isTTY === true && (process.env["NO_COLOR"] ?? "") === "";
  process.stdout.write(`${(colours ? text : Bun.stripANSI(text)).trimEnd()}\n`);
  return exitCodes.ok;
}
