import { expect, test } from "bun:test";
import { AssertionError, assert } from "../src/assert.ts";

test("assert() throws its message only when the condition does not hold", () => {
  assert(true, "holds");
  expect(() => assert(false, "does not hold")).toThrow(new AssertionError("does not hold"));
});
