import { describe, expect, test } from "bun:test";
import { parseTemplate } from "../../src/chat-template/parser.ts";
import { type Expression, subexpressions } from "../../src/chat-template/syntax-tree.ts";

function names(node: Expression): string[] {
  const own = node.kind === "name" ? [node.name] : [];
  return [...own, ...[...subexpressions(node)].flatMap(names)];
}

describe("subexpressions()", () => {
  test.each([
    "a + b * -c ~ d",
    "a[b:c:d].x[e]",
    "a(b, k=c, *d, **e)",
    "a | f(b, k=c) is t(d)",
    "[a, (b, c), {d: e}]",
    "a if b else c",
    "not a and b or c < d in e",
  ])("reach every name of %s", (source) => {
    const [output] = parseTemplate(`{{ ${source} }}`);
    const [expression] = output?.kind === "output" ? output.parts : [];
    const expected = new Set(source.match(/\b[a-e]\b/g));
    const found = new Set(names(expression as Expression).filter((name) => /^[a-e]$/.test(name)));
    expect(found).toEqual(expected);
  });
});
