import { expect, test } from "bun:test";
import { isFault, reportText } from "../../src/verify/report.ts";
import type { Finding } from "../../src/verify/turn-check.ts";
import { objects } from "../fixtures/json.ts";

const conversation = {
  name: "talk",
  messages: objects(
    '[{"role": "user"}, {"role": "assistant"}, {"role": "tool"}, {"role": "user"}]',
  ),
  tools: null,
  generated: [1],
};

function report(finding: Finding): string {
  return reportText("family x", [{ conversation, turn: 1, finding }]);
}

test("reportText() says in how many turns all is well", () => {
  expect(report({ kind: "equal" })).toBe(
    "  ok      talk: message 1 + tool, user\n\n" +
      "family x: append-only, and incremental tokens equal the full render, in 1 of 1 turns\n",
  );
  expect(report({ kind: "not taken", role: "tool" })).toContain(
    "in 0 of 0 turns; 1 append a role that the family does not take",
  );
});

test("reportText() points at the first difference", () => {
  const difference = { expected: "a\nbc", actual: "a\nbd", equalTokens: 3 };
  const lines = report({ kind: "history changed", difference }).split("\n");
  expect(lines.slice(0, 5)).toEqual([
    "  FAILED  talk: message 1 + tool, user",
    "          the longer render does not begin with the history's:",
    "          3 tokens are equal, then",
    '            longer   "a\\nbc"',
    '            history  "a\\nbd"',
  ]);
  expect(lines[5]?.indexOf("^")).toBe(lines[3]?.indexOf("c") ?? 0);
  expect(lines.at(-2)).toBe("family x: 1 of 1 turns fail");
});

test("reportText() tells other token boundaries from other text", () => {
  const difference = { expected: "same", actual: "same", equalTokens: 1 };
  expect(report({ kind: "tokens differ", difference })).toContain(
    "1 tokens are equal, then (the same text, cut into other tokens)",
  );
});

test("isFault() is all but equal turns and those that are not taken", () => {
  expect(isFault({ kind: "equal" })).toBe(false);
  expect(isFault({ kind: "not taken", role: "x" })).toBe(false);
  expect(isFault({ kind: "refused", reason: "x" })).toBe(true);
});
