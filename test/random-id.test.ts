import { expect, test } from "bun:test";
import { randomId } from "../src/random-id.ts";

test("randomId() makes 32 hex digits of a version 4 UUID, others each time", () => {
  const ids = new Set(Array.from({ length: 1_000 }, randomId));
  expect(ids.size).toBe(1_000);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
});
