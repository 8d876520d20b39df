import { expect, test } from "bun:test";
import { compareCodePoints } from "../../src/tito/code-point-order.ts";

test("compareCodePoints() puts the basic plane before the others, and prefixes first", () => {
  const sorted = [
    "",
    "10",
    "2",
    "a",
    "aa",
    "b",
    "é",
    "\uffff",
    "\u{1f600}",
    "\u{1f600}a",
    "\u{1f601}",
  ];
  expect([...sorted].reverse().sort(compareCodePoints)).toEqual(sorted);
  expect(compareCodePoints("a", "a")).toBe(0);
});
