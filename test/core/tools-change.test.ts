import { describe, expect, test } from "bun:test";
import { describeToolsChange, toolsChange } from "../../src/core/tools-change.ts";
import { parseJson } from "../../src/json/lossless.ts";
import { toolNamesLogged } from "../../src/limits.ts";

const change = (shown: string, sent: string) => toolsChange(parseJson(shown), parseJson(sent));
const named = (name: string, more = "") =>
  `{"type": "function", "function": {"name": "${name}"${more}}}`;

describe("toolsChange()", () => {
  test.each([
    ["null", "[]"],
    [`[${named("a")}, ${named("b")}]`, `[${named("b")}, ${named("a")}]`],
    [`[${named("a", ', "strict": true')}]`, `[{"name": "a", "strict": true}]`],
  ])("%s and %s are the same", (shown, sent) => {
    expect(change(shown, sent)).toBeNull();
  });

  test("names what was added, removed and changed", () => {
    const shown = `[${named("a")}, ${named("b")}, ${named("c")}]`;
    const sent = `[${named("b", ', "description": "x"')}, ${named("d")}, ${named("c")}, 7]`;
    const found = change(shown, sent);
    expect(found).toEqual({ added: ["d"], removed: ["a"], changed: ["b"] });
    expect(describeToolsChange(found ?? { added: [], removed: [], changed: [] })).toBe(
      "added d; removed a; changed b",
    );
  });

  test.each([
    [toolNamesLogged, false],
    [toolNamesLogged + 1, true],
  ])("of %d names the log counts some: %p", (count, counts) => {
    const added = Array.from({ length: count }, (_, index) => `tool${index}`);
    const text = describeToolsChange({ added, removed: [], changed: [] });
    expect(text.endsWith(" and 1 more")).toBe(counts);
    expect(text.split(", ")).toHaveLength(toolNamesLogged);
  });
});
