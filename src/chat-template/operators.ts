/**
 * Compiles operators on already compiled operands; the common cases come first.
 */
import { templateTextUnitsMax } from "../limits.ts";
import { add, operate } from "./arithmetic.ts";
import { contains, equal, ordered } from "./equality.ts";
import { boundExceeded } from "./errors.ts";
import type { Evaluate } from "./frame.ts";
import { print } from "./printing.ts";
import type { ArithmeticOperator, ComparisonOperator } from "./syntax-tree.ts";
import type { Value } from "./values.ts";

export function compileArithmetic(
  operator: ArithmeticOperator,
  left: Evaluate,
  right: Evaluate,
): Evaluate {
  if (operator === "+") return (frame) => add(left(frame), right(frame));
  return (frame) => operate(operator, left(frame), right(frame));
}

/** a ~ b ~ c */
export function compileConcatenation(parts: readonly Evaluate[]): Evaluate {
  return (frame) => {
    let text = "";
    for (const part of parts) text += print(part(frame));
    if (text.length > templateTextUnitsMax) throw boundExceeded("length of a string");
    return text;
  };
}

const comparisons: Record<ComparisonOperator, (left: Value, right: Value) => boolean> = {
  "==": equal,
  "!=": (left, right) => !equal(left, right),
  "<": (left, right) => ordered("<", left, right),
  "<=": (left, right) => ordered("<=", left, right),
  ">": (left, right) => ordered(">", left, right),
  ">=": (left, right) => ordered(">=", left, right),
  in: (left, right) => contains(right, left),
  "not in": (left, right) => !contains(right, left),
};

/** a < b < c: each operand is computed once, and none after the first comparison that fails. */
export function compileComparison(
  first: Evaluate,
  rest: readonly { operator: ComparisonOperator; operand: Evaluate }[],
): Evaluate {
  const steps = rest.map(({ operator, operand }) => ({ compare: comparisons[operator], operand }));
  const [only] = steps;
  if (only !== undefined && steps.length === 1) {
    const { compare, operand } = only;
    return (frame) => compare(first(frame), operand(frame));
  }
  return (frame) => {
    let left = first(frame);
    for (const { compare, operand } of steps) {
      const right = operand(frame);
      if (!compare(left, right)) return false;
      left = right;
    }
    return true;
  };
}
