/**
 * The process's logger: lines on stderr, so that stdout stays machine-readable.
 *
 *   text   2026-08-01T12:00:00.000Z WARN  worker 1/4: turn failed session=ab.. status=502
 *   json   {"time":"...","level":"warn","process":"worker 1/4","message":"...","session":"ab.."}
 *
 * Contract   one line an entry in JSON, also where an error has a stack. Fields are facts of the
 *            entry, named alike wherever they appear: session, phase, status, durationMs.
 *            A line that cannot be written is lost, and nothing else is.
 *            The one mutable global of a process; name, level and format are set once by the role
 *            that runs.
 */
import { createConsola } from "consola";
import type { LogFormat, LogLevel } from "./config.ts";
import { failureLinesPerSecond } from "./limits.ts";
import { LineLimiter } from "./line-limiter.ts";

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

const consolaLevels: Record<LogLevel, number> = {
  silent: -999,
  error: 0,
  warn: 1,
  info: 3,
  debug: 4,
};

let processName = "session-server";
let format: LogFormat = "text";

const consola = createConsola({
  level: consolaLevels.info,
  // Like lines are counted by logFailure; consola would drop some and not say of which session.
  throttle: 0,
  reporters: [
    {
      log({ date, type, args }) {
        const [message, detail] = args as [string, unknown];
        const entry = { time: date.toISOString(), level: type, message, detail };
        process.stderr.write(`${format === "json" ? jsonLine(entry) : textLine(entry)}\n`);
      },
    },
  ],
});

// Whoever reads the log may leave, and a disk may be full: that must not end a server.
process.stderr.on("error", () => {});

interface Entry {
  readonly time: string;
  readonly level: string;
  readonly message: string;
  readonly detail: unknown;
}

function textLine({ time, level, message, detail }: Entry): string {
  const head = `${time} ${level.toUpperCase().padEnd(5)} ${processName}: ${message}`;
  if (detail === undefined) return head;
  if (!isFields(detail)) return `${head} ${describe(detail)}`;
  const fields = Object.entries(detail).map(([name, value]) => ` ${name}=${fieldText(value)}`);
  return head + fields.join("");
}

function jsonLine({ time, level, message, detail }: Entry): string {
  const facts = { time, level, process: processName, message };
  if (detail === undefined) return JSON.stringify(facts);
  return JSON.stringify({ ...facts, ...(isFields(detail) ? detail : { error: describe(detail) }) });
}

function isFields(detail: unknown): detail is LogFields {
  return typeof detail === "object" && detail !== null && !(detail instanceof Error);
}

/** Text that could be taken for two fields is quoted. */
function fieldText(value: LogFields[string]): string {
  return typeof value === "string" && !/^[\x21\x23-\x7e]+$/.test(value)
    ? JSON.stringify(value)
    : String(value);
}

function describe(detail: unknown): string {
  return detail instanceof Error ? (detail.stack ?? detail.message) : String(detail);
}

/** Names this process in every line, and sets what is written and how. */
export function configureLog(name: string, level: LogLevel, logFormat: LogFormat = "text"): void {
  processName = name;
  format = logFormat;
  consola.level = consolaLevels[level];
}

/** Whether entries of this level are written, for those that cost something to make. */
export function isLogged(level: Exclude<LogLevel, "silent">): boolean {
  return consola.level >= consolaLevels[level];
}

type Log = (message: string, detail?: LogFields | unknown) => void;

export const log: Record<"debug" | "info" | "warn" | "error", Log> = {
  debug: (message, detail) => consola.debug(message, detail),
  info: (message, detail) => consola.info(message, detail),
  warn: (message, detail) => consola.warn(message, detail),
  error: (message, detail) => consola.error(message, detail),
};

const failures = new LineLimiter(failureLinesPerSecond, performance.now());
let summaryTimer: Timer | null = null;

/**
 * A failed request as one line at warn. No more than failureLinesPerSecond are written; how many
 * were not is told by the next one, or by a line of its own a second later.
 */
export function logFailure(message: string, fields: LogFields): void {
  if (!isLogged("warn")) return;
  const heldBack = failures.admit(performance.now());
  if (heldBack !== null) {
    log.warn(message, heldBack === 0 ? fields : { ...fields, heldBack });
    return;
  }
  if (summaryTimer !== null) return;
  summaryTimer = setTimeout(() => {
    summaryTimer = null;
    const count = failures.takeHeldBack();
    if (count > 0) log.warn("more requests failed than are logged", { heldBack: count });
  }, 1_000).unref();
}
