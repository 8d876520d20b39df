import { expect, test } from "bun:test";
import { Random } from "../../../scripts/soak/random.ts";

test("Random draws the same from the same seed, and what was asked for", () => {
  const draw = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 1_000 }, () => random.integer(3, 5));
  };
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
  expect([...new Set(draw(1))].sort()).toEqual([3, 4, 5]);
});

test("Random.pick() follows the weights", () => {
  const random = new Random(1);
  const picks = Array.from({ length: 1_000 }, () => random.pick({ often: 9, seldom: 1, never: 0 }));
  const seldom = picks.filter((name) => name === "seldom").length;
  expect(seldom).toBeGreaterThan(50);
  expect(seldom).toBeLessThan(150);
  expect(picks).not.toContain("never");
});
