import { expect, test } from "bun:test";
import {
  histogram,
  latencyStatistics,
  median,
  quantile,
  round,
  slope,
} from "../../../bench/result/statistics.ts";

test("latencyStatistics() of 1 to 100", () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(latencyStatistics(values)).toEqual({
    count: 100,
    meanMs: 50.5,
    p50Ms: 50,
    p95Ms: 95,
    p99Ms: 99,
    maxMs: 100,
  });
  expect(latencyStatistics([])).toMatchObject({ count: 0, meanMs: 0, p99Ms: 0, maxMs: 0 });
});

test("quantile() is a value that was measured", () => {
  expect(quantile([1, 2], 0.99)).toBe(2);
  expect(quantile([7], 0.5)).toBe(7);
});

test("median() of an odd and an even number of values", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(median([])).toBe(0);
});

test("histogram() has every value in a bin that is not smaller", () => {
  const bins = histogram([0.05, 1, 1, 10, 1000]);
  expect(bins.reduce((sum, [, count]) => sum + count, 0)).toBe(5);
  expect(bins.at(-1)?.[0]).toBeGreaterThanOrEqual(1000);
  expect(bins.at(-1)?.[0]).toBeLessThan(1100.1);
  const uppers = bins.map(([upper]) => upper);
  expect(uppers).toEqual(uppers.toSorted((left, right) => left - right));
});

test("slope() of a line is its slope", () => {
  const points = [0, 1, 2, 3].map((x) => [x, 5 + 0.25 * x] as const);
  expect(slope(points)).toBeCloseTo(0.25, 10);
  expect(slope([])).toBe(0);
});

test("round() keeps four digits", () => {
  expect([round(0), round(1.23456), round(123_456), round(0.000123456)]).toEqual([
    0, 1.235, 123_500, 0.0001235,
  ]);
});
