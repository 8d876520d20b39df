/**
 * The process's logger: human-readable lines on stderr, so that stdout stays machine-readable.
 * The one mutable global of a process; its level and name are set once by the role that runs.
 */
import { createConsola } from "consola";
import type { LogLevel } from "./config.ts";

const consolaLevels: Record<LogLevel, number> = {
  silent: -999,
  error: 0,
  warn: 1,
  info: 3,
  debug: 4,
};

let tag = "session-server";

const consola = createConsola({
  level: consolaLevels.info,
  reporters: [
    {
      log(entry) {
        const text = entry.args.map((part) => renderPart(part)).join(" ");
        process.stderr.write(
          `${entry.date.toISOString()} ${entry.type.toUpperCase().padEnd(5)} ${tag}: ${text}\n`,
        );
      },
    },
  ],
});

function renderPart(part: unknown): string {
  if (typeof part === "string") return part;
  if (part instanceof Error) return part.stack ?? part.message;
  return Bun.inspect(part);
}

/** Names this process in every line and sets what is written. */
export function configureLog(processName: string, level: LogLevel): void {
  tag = processName;
  consola.level = consolaLevels[level];
}

export const log = {
  debug: (message: string, ...details: unknown[]) => consola.debug(message, ...details),
  info: (message: string, ...details: unknown[]) => consola.info(message, ...details),
  warn: (message: string, ...details: unknown[]) => consola.warn(message, ...details),
  error: (message: string, ...details: unknown[]) => consola.error(message, ...details),
};
