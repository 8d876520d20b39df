import { expect, test } from "bun:test";
import { join } from "node:path";
import { print } from "../../src/chat-template/printing.ts";
import { titoFamilies } from "../../src/config.ts";
import { familyDefinitions } from "../../src/tito/families.ts";
import type { BoundaryRule } from "../../src/tito/family.ts";
import { familyOnTest } from "../fixtures/family-checkpoints.ts";

test("familyDefinitions has every family once, each with a name of its own", () => {
  expect(Object.keys(familyDefinitions)).toEqual([...titoFamilies]);
  const names = Object.values(familyDefinitions).map((definition) => definition.className);
  expect(new Set(names).size).toBe(titoFamilies.length);
});

test("every family resolves its tokens and compiles its template", () => {
  for (const family of titoFamilies) expect(familyOnTest(family).tito).toBeDefined();
});

/** The cells of the table in docs/families.md, by family. */
async function documentedFamilies(): Promise<Map<string, string[]>> {
  const document = await Bun.file(join(import.meta.dir, "../../docs/families.md")).text();
  const [, section = ""] = document.split("| family | models |");
  const [table = ""] = section.split("\n\n");
  const rows = table.split("\n").filter((line) => line.startsWith("| `"));
  return new Map(
    rows.map((row) => {
      const cells = row.replaceAll("\\|", "\u0000").split("|").slice(1, -1);
      const [name = "", ...rest] = cells.map((cell) => cell.trim().replaceAll("\u0000", "|"));
      return [name.replaceAll("`", ""), rest];
    }),
  );
}

function describedBoundary(rule: BoundaryRule): string {
  switch (rule.kind) {
    case "concatenate":
      return "nothing";
    case "complete_line":
      return `a line feed after \`${rule.endOfTurn}\``;
    case "drop_opener":
      return `${rule.openers.map((text) => `\`${text}\``).join(" or ")} is dropped`;
  }
}

test("docs/families.md describes every family as it is", async () => {
  const documented = await documentedFamilies();
  expect([...documented.keys()]).toEqual([...titoFamilies]);
  for (const family of titoFamilies) {
    const definition = familyDefinitions[family];
    const own = family.startsWith("deepseek") ? "the model's encoder" : "the checkpoint's template";
    const kwargs = [...definition.requiredKwargs].map(([name, value]) => `${name}=${print(value)}`);
    expect(documented.get(family)?.slice(1), family).toEqual([
      definition.fixedTemplate === null ? own : "a fixed template",
      kwargs.join(", "),
      [...definition.allowedAppendRoles].join(", "),
      describedBoundary(definition.boundary),
    ]);
  }
});
