/**
 * Tables of documents, so that tests can hold them against the code.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The rows of the table whose first column has this heading, cells without the white space. */
export function documentedTable(path: string, heading: string): string[][] {
  const text = readFileSync(join(import.meta.dir, "..", "..", path), "utf8");
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  if (start < 0) throw new Error(`${path} has no table with "${heading}"`);
  const rows: string[][] = [];
  for (const line of lines.slice(start + 2)) {
    if (!line.startsWith("|")) break;
    rows.push(
      line
        .slice(1, -1)
        .split(" | ")
        .map((cell) => cell.trim()),
    );
  }
  return rows;
}
