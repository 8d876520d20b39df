import { expect, test } from "bun:test";
import { LineLimiter } from "../src/line-limiter.ts";

test("LineLimiter lets a second's worth of lines through, and tells how many it held back", () => {
  const limiter = new LineLimiter(3, 0);
  expect([0, 0, 0, 0, 0].map((now) => limiter.admit(now))).toEqual([0, 0, 0, null, null]);
  expect(limiter.admit(300)).toBeNull();
  expect(limiter.admit(400)).toBe(3);
  expect(limiter.admit(400)).toBeNull();
});

test("LineLimiter saves no more than one second's worth", () => {
  const limiter = new LineLimiter(2, 0);
  expect([0, 0, 0].map(() => limiter.admit(3_600_000))).toEqual([0, 0, null]);
});

test("LineLimiter gives the rest of the count once", () => {
  const limiter = new LineLimiter(1, 0);
  expect([0, 0, 0].map((now) => limiter.admit(now))).toEqual([0, null, null]);
  expect([limiter.takeHeldBack(), limiter.takeHeldBack()]).toEqual([2, 0]);
});
