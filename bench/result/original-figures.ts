/**
 * Known figures of the Python original, for the foot of a table: measured or published elsewhere,
 * so they are an order of magnitude, not part of a run.
 */
import { describeShape, findShape, type Shape } from "../workload/shape.ts";

/** Nothing for a shape whose numbers were changed; sessions are named with each figure. */
export function originalFigures(shape: Shape): string[] {
  const named = findShape(shape.name);
  if (named === undefined) return [];
  if (describeShape({ ...named, sessions: shape.sessions }) !== describeShape(shape)) return [];
  switch (shape.name) {
    case "small":
      return [
        "Python original, another 2-core machine, 32 x 50: 177 turns/s with 1 worker " +
          "(p99 514 ms), 314 with 2 (p99 229 ms)",
      ];
    case "production":
      return [
        "Python original, another 2-core machine, 2 x 50: 2.8 turns/s with 1 worker (p50 536 ms, " +
          "7.95 GiB), 4.3 with 2 (p50 321 ms, 7.1 GiB)",
        "Python original, the same: two full-records GETs of 3.3 GiB took 60 and 78 s with a " +
          "peak of 20 GiB; with 2 workers the group died out of memory on 24 GiB",
        "Python original, published, 32 x 50: 26.4 turns/s with 16 workers on 192 cores, 44.9 GiB",
      ];
    case "records":
      return [
        "Python original, published, production shape, 32 x 50: 32 concurrent GETs raise the " +
          "chats' p99 33 times (1.6 s to 52 s); a GET of 3.15 GiB takes 103 s",
      ];
    default:
      return [];
  }
}
