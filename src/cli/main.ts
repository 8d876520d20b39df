/**
 * The program: what `session-server` does from its first word to its exit code.
 *
 * Contract   stdout gets one line, `listening on http://HOST:PORT`, when requests are answered; logs
 *            go to stderr. Exit codes: exitCodes below. A second signal ends the program at once;
 *            the kernel then takes the children with it.
 */
import { mockBackend, type ServerConfig } from "../config.ts";
import { errorText } from "../errors.ts";
import { readChildParameters } from "../lifecycle/child-contract.ts";
import { liveAsChild } from "../lifecycle/life-as-child.ts";
import { configureLog, log } from "../log.ts";
import { type CommandLine, parseCommandLine, UsageError, usage, version } from "./command-line.ts";
import { configurationFrom } from "./configuration.ts";
import { startRole } from "./roles.ts";
import { type Serving, type Starting, startServing } from "./serve.ts";

export const exitCodes = {
  /** Stopped by a signal, or nothing to do (--help). */
  ok: 0,
  /** Could not start: the log says why. */
  cannotStart: 1,
  /** Wrong flag or variable: one line on stderr names it. */
  usage: 2,
  /** Failed while it served: a process died; the log names it. */
  failed: 70,
} as const;

type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const stopSignals = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

export async function main(words: readonly string[]): Promise<void> {
  const child = readChildParameters(process.env);
  if (child !== null) {
    configureLog(child.name, child.config.logLevel, child.config.logFormat);
    return liveAsChild(child, () => startRole(child));
  }
  process.exit(await run(words));
}

async function run(words: readonly string[]): Promise<ExitCode> {
  let line: CommandLine;
  let config: ServerConfig;
  try {
    line = parseCommandLine(words, process.env);
    if (line.kind === "help") return print(await usage());
    if (line.kind === "version") return print(version);
    config = configurationFrom(line.texts);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`session-server: ${error.message}\n`);
    return exitCodes.usage;
  }
  configureLog("session-server", config.logLevel, config.logFormat);
  warnAboutStandIns(config);
  warnAboutOpenDoors(config);
  return serveUntilStopped(startServing(config, words));
}

async function serveUntilStopped(starting: Starting): Promise<ExitCode> {
  const stopAsked = signalReceived();
  let serving: Serving | "stop";
  try {
    serving = await Promise.race([starting.serving, stopAsked]);
  } catch (error) {
    log.error(`cannot start: ${errorText(error)}`);
    await starting.stop();
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
  await serving.stop();
  return exitCodes.failed;
}

/** Resolves with the first signal that asks to stop; a second one ends the program at once. */
function signalReceived(): Promise<"stop"> {
  const received = Promise.withResolvers<"stop">();
  let count = 0;
  for (const signal of stopSignals) {
    process.on(signal, () => {
      count += 1;
      if (count > 1) process.exit(exitCodes.ok);
      received.resolve("stop");
    });
  }
  return received.promise;
}

function warnAboutStandIns(config: ServerConfig): void {
  if (config.backendUrl === mockBackend) {
    log.warn("no --backend-url: replies come from the built-in mock engine, not from a model");
  }
  if (config.hfCheckpoint === null) {
    log.warn("no --hf-checkpoint: token ids are those of the bundled demo tokenizer");
  }
}

/** On a host that others can reach, the session server is a door to the backend. */
function warnAboutOpenDoors({ host, authToken, proxyPaths }: ServerConfig): void {
  if (isLoopback(host)) return;
  if (authToken === null) {
    log.warn(`no --auth-token: whoever reaches ${host} may use this server`);
  }
  if (proxyPaths.includes("*")) {
    log.warn(
      `--proxy-paths is "*": whoever reaches ${host} may use every path of the backend, those ` +
        "that change weights and caches included",
    );
  }
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function print(text: string): ExitCode {
  const colours = process.stdout.isTTY === true && process.env["NO_COLOR"] === undefined;
  process.stdout.write(`${(colours ? text : Bun.stripANSI(text)).trimEnd()}\n`);
  return exitCodes.ok;
}
