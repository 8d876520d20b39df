import { expect, test } from "bun:test";
import { checkShape, describeShape, findShape, shapes } from "../../../bench/workload/shape.ts";

test("every shape makes sense", () => {
  for (const shape of shapes) expect(checkShape(shape)).toBe(shape);
});

test("describeShape() says what a run does", () => {
  const [production, agentic] = ["production", "agentic"].map(findShape);
  expect(production && describeShape(production)).toBe(
    "2 x 50, 1000 in, 1000 out, R3 1000 B/token accumulated",
  );
  expect(agentic && describeShape({ ...agentic, thinkMs: 5, idleMs: 7 })).toBe(
    "32 x 30, 300 in, 300 out, tool results of 2000, R3 1000 B/token accumulated, " +
      "model thinks 5 ms, tool takes 7 ms",
  );
});

test("checkShape() names the number that makes no sense", () => {
  const [shape] = shapes;
  if (shape === undefined) throw new Error("there are shapes");
  expect(() => checkShape({ ...shape, turns: 0 })).toThrow("turns is 0; expected");
  expect(() => checkShape({ ...shape, sessions: 1.5 })).toThrow("sessions is 1.5; expected");
  expect(() => checkShape({ ...shape, sessions: 10_001 })).toThrow("at most 10000");
  expect(() => checkShape({ ...shape, toolResultTokens: 9, outputTokens: 10 })).toThrow(
    "outputTokens is 10; expected",
  );
});
