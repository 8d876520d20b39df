import { describe, expect, test } from "bun:test";
import { Frame, RenderState } from "../../src/chat-template/frame.ts";
import {
  compileArithmetic,
  compileComparison,
  compileConcatenation,
} from "../../src/chat-template/operators.ts";

const frame = new Frame(new RenderState([]), null, 0);

describe("compiled operators", () => {
  test("compute their operands from the left, each one once", () => {
    const seen: number[] = [];
    const operand = (value: number) => () => {
      seen.push(value);
      return value;
    };
    expect(compileArithmetic("-", operand(5), operand(3))(frame)).toBe(2);
    const comparison = compileComparison(operand(1), [
      { operator: "<", operand: operand(2) },
      { operator: "<", operand: operand(2) },
      { operator: "<", operand: operand(9) },
    ]);
    expect(comparison(frame)).toBe(false);
    expect(seen).toEqual([5, 3, 1, 2, 2]);
  });

  test("concatenate what they print", () => {
    expect(compileConcatenation([() => null, () => "a", () => [true]])(frame)).toBe("Nonea[True]");
  });
});
