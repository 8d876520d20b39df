import { describe, expect, test } from "bun:test";
import { printed, raised } from "./rendering.ts";

describe("value filters", () => {
  test.each([
    [
      "missing|default('d'), ''|default('d'), ''|d('d', true), none|default('d')",
      "('d', '', 'd', None)",
    ],
    [
      "'42'|int, '4.7'|int, 'x'|int, 'x'|int(5), '0x1f'|int(0, 16), 3.9|int, true|int",
      "(42, 4, 0, 5, 31, 3, 1)",
    ],
    [
      "'1e3'|int, 'inf'|int, none|int, '12345678901234567890'|int",
      "(1000, 0, 0, 12345678901234567890)",
    ],
    ["'1.5'|float, 'x'|float, 'x'|float(2), 1|float, none|float", "(1.5, 0.0, 2, 1.0, 0.0)"],
    ["-3|abs, (-1.5)|abs, true|abs", "(3, 1.5, 1)"],
    [
      "2.5|round, 2.675|round(2), 1234|round(-2), 1250|round(-2), 5|round",
      "(2.0, 2.67, 1200, 1200, 5)",
    ],
    ["2.31|round(1, 'ceil'), 2.39|round(1, 'floor'), 7|round(0, 'ceil')", "(2.4, 2.3, 7.0)"],
    [
      "1|filesizeformat, 999|filesizeformat, 1500|filesizeformat, 1536|filesizeformat(true)",
      "('1 Byte', '999 Bytes', '1.5 kB', '1.5 KiB')",
    ],
    ["'a'|attr('upper') is callable, {'a': 1}|attr('a') is defined", "(True, False)"],
  ])("%s", (expressions, values) => {
    expect(printed(`(${expressions})`)).toBe(values);
  });

  test.each([
    ["'a'|abs", "TypeError: bad operand type for abs(): 'str'"],
    ["'a'|round", "TypeError: type str doesn't define __round__ method"],
    ["1.5|round(1, 'up')", "FilterArgumentError: method must be common, ceil or floor"],
    ["missing|int", "UndefinedError: 'missing' is undefined"],
    ["1e400|int", "OverflowError: cannot convert float infinity to integer"],
    ["'a'|attr(1)", "TypeError: attribute name must be string"],
  ])("%s raises %s", (expression, error) => {
    expect(raised(expression)).toBe(error);
  });
});
