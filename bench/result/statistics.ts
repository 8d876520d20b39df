/**
 * Numbers about numbers.
 */

export interface LatencyStatistics {
  readonly count: number;
  readonly meanMs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export function latencyStatistics(latenciesMs: readonly number[]): LatencyStatistics {
  const sorted = [...latenciesMs].sort((left, right) => left - right);
  return {
    count: sorted.length,
    meanMs: mean(sorted),
    p50Ms: quantile(sorted, 0.5),
    p95Ms: quantile(sorted, 0.95),
    p99Ms: quantile(sorted, 0.99),
    maxMs: sorted.at(-1) ?? 0,
  };
}

/** The smallest value that at least this part of the values does not exceed; 0 of none. */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
}

/** 0 of none. */
export function mean(values: readonly number[]): number {
  if (values.length === 0) return 0;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The middle value, or the mean of the two in the middle; 0 of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

/** How many values are at most so large, in bins that grow by a tenth. */
export type Histogram = [upperMs: number, count: number][];

export const binGrowth = 1.1;
const firstUpperMs = 0.1;

export function histogram(latenciesMs: readonly number[]): Histogram {
  const counts = new Map<number, number>();
  for (const ms of latenciesMs) {
    const bin = Math.max(0, Math.ceil(Math.log(ms / firstUpperMs) / Math.log(binGrowth)));
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  return [...counts]
    .sort(([left], [right]) => left - right)
    .map(([bin, count]) => [round(firstUpperMs * binGrowth ** bin), count]);
}

/** Least-squares slope of y over x: milliseconds that a turn costs more for each turn before it. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  let covariance = 0;
  let variance = 0;
  for (const [x, y] of points) {
    covariance += (x - meanX) * (y - meanY);
    variance += (x - meanX) ** 2;
  }
  return variance === 0 ? 0 : covariance / variance;
}

/** Four significant digits: what a file of results keeps. */
export function round(value: number): number {
  return Number(value.toPrecision(4));
}
