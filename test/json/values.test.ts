import { describe, expect, test } from "bun:test";
import { JsonFloat } from "../../src/json/values.ts";

describe("JsonFloat", () => {
  test("is told from an integer of the same value", () => {
    expect(new JsonFloat(1)).not.toEqual(1 as never);
    expect(new JsonFloat(1).value).toBe(1);
  });
});
