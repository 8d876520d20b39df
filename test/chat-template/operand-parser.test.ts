import { describe, expect, test } from "bun:test";
import { failure, printed, render } from "./rendering.ts";

describe("operands", () => {
  test.each([
    ["True, false, None, none", "(True, False, None, None)"],
    ["1_000, 0x1F, 0b11, 0o17, 00", "(1000, 31, 3, 15, 0)"],
    ["1.5, 1e3, 1_0.5e-1", "(1.5, 1000.0, 1.05)"],
    ["'a' \"b\"", "ab"],
    ["(1), (1,), ()", "(1, (1,), ())"],
    ["{'a': 1,}, [1,]", "({'a': 1}, [1])"],
    ["[1, 2].0, {'0': 3}.0", "(1, Undefined)"],
    ["[[1, 2], [3]][0][1:]", "[2]"],
    ["4 is divisibleby 2, 4 is divisibleby(3)", "(True, False)"],
    ["1 is eq 1 is defined", "True"],
    ["'a' is in ['a']", "True"],
    ["dict(a=1,)", "{'a': 1}"],
  ])("%s are %s", (expressions, values) => {
    const source = expressions.includes(", ") ? `(${expressions})` : expressions;
    expect(printed(source)).toBe(values);
  });

  test("the word after a test without brackets is its argument, even `if`", () => {
    expect(failure(() => printed("1 is odd if true else 2")).reason).toBe(
      "expected token 'end of print statement', got 'true'",
    );
  });

  test.each([
    ["{{ f(a=1, 2) }}", "invalid syntax for function call expression"],
    ["{{ f(**a, b=1) }}", "invalid syntax for function call expression"],
    ["{{ a.'b' }}", "expected name or number"],
    ["{{ }}", "Expected an expression, got 'end of print statement'"],
    ["{{ a is b is c }}", "You cannot chain multiple tests with is"],
    ["{{ (1 }}", "unexpected '}', expected ')'"],
    ["{{ * }}", "unexpected '*'"],
  ])("%s is no expression: %s", (source, reason) => {
    expect(failure(() => render(source)).reason).toBe(reason);
  });
});
