/**
 * The files of bench/results: one JSON object a line, appended, never changed.
 *
 * Contract   each shape has a file of its name; what is no shape has one of those named here.
 */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** No shape has one of these names. */
export const otherFiles = {
  micro: "micro.jsonl",
  startup: "startup.jsonl",
  profile: "profile.jsonl",
} as const;

export function appendLine(directory: string, file: string, value: unknown): void {
  mkdirSync(directory, { recursive: true });
  appendFileSync(join(directory, file), `${JSON.stringify(value)}\n`);
}

/** Every line of a file, oldest first; none when there is no such file. */
export function readLines(directory: string, file: string): unknown[] {
  const path = join(directory, file);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as unknown);
}

export function shapeFiles(directory: string): string[] {
  if (!existsSync(directory)) return [];
  const others: readonly string[] = Object.values(otherFiles);
  return readdirSync(directory)
    .filter((name) => name.endsWith(".jsonl") && !others.includes(name))
    .sort();
}
