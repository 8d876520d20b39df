import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { AssertionError } from "../../src/assert.ts";
import { faultText, isBug } from "../../src/lifecycle/expected-fault.ts";

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error("it threw nothing");
}

const bugs: readonly [string, unknown][] = [
  ["a TypeError of the language", thrownBy(() => (null as unknown as { a: 1 }).a)],
  ["a RangeError of the language", thrownBy(() => new Array(-1))],
  ["a failed assertion", new AssertionError("broken")],
  ["something that is no error", "text"],
];

const faults: readonly [string, unknown][] = [
  ["an error of the system", thrownBy(() => readFileSync("/nowhere/at/all"))],
  ["an error with a sentence", new Error("no such checkpoint")],
  ["an error of a class with a sentence", new (class CheckpointError extends Error {})("no")],
];

describe("isBug() and faultText()", () => {
  test.each(bugs)("%s is a bug, told with all there is", (_what, error) => {
    expect(isBug(error)).toBe(true);
    expect(faultText(error)).toBe(error instanceof Error ? (error.stack ?? "") : String(error));
  });

  test.each(faults)("%s is none, and told in one line", (_what, error) => {
    expect(isBug(error)).toBe(false);
    expect(faultText(error)).toBe((error as Error).message);
  });

  test("a sentence of several lines becomes one line", () => {
    expect(faultText(new Error("first\n  second"))).toBe("first second");
  });
});
