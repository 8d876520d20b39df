import { expect, test } from "bun:test";
import { documentedTable } from "./documented-table.ts";
import { errorSites } from "./error-sites.ts";

const documented = documentedTable("docs/errors.md", "status").map(([status = "", text = ""]) => ({
  status: Number(status),
  text: text.replaceAll("`", ""),
}));

const line = ({ status, text }: { status: number; text: string }) => `${status} ${text}`;

test("docs/errors.md lists every failure that the source can tell a client", () => {
  const listed = new Set(documented.map(line));
  expect(
    errorSites()
      .map(line)
      .filter((site) => !listed.has(site)),
  ).toEqual([]);
});

test("docs/errors.md lists no failure that the source cannot tell", () => {
  const there = new Set(errorSites().map(line));
  expect(documented.map(line).filter((row) => !there.has(row))).toEqual([]);
});

test("docs/errors.md says of each what it means and what to do", () => {
  for (const row of documentedTable("docs/errors.md", "status")) {
    expect(row).toHaveLength(3);
    expect((row[2] ?? "").length).toBeGreaterThan(20);
  }
});
