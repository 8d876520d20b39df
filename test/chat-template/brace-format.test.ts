import { describe, expect, test } from "bun:test";
import { printed, raised } from "./rendering.ts";

describe("formatBraces()", () => {
  test.each([
    ["'{} {} {{}}'.format(1, 'b')", "1 b {}"],
    ["'{1}{0}{1}'.format('a', 'b')", "bab"],
    ["'{a}-{b}'.format(a=1, b=none)", "1-None"],
    ["'{0[k]} {0.k} {1[0]}'.format({'k': 'v'}, [7])", "v v 7"],
    ["'{!r}|{!s}'.format('a', 'b')", "'a'|b"],
    ["'{:>{}}|'.format('a', 4)", "   a|"],
    ["'{:>{w}}|'.format('a', w=3)", "  a|"],
    ["'{a}'.format_map({'a': 1})", "1"],
    ["'{x}'.format(x=missing)", ""],
  ])("%s prints %s", (expression, text) => {
    expect(printed(expression)).toBe(text);
  });

  test.each([
    ["'{'.format(1)", "ValueError: Single '{' encountered in format string"],
    ["'}'.format(1)", "ValueError: Single '}' encountered in format string"],
    ["'{0'.format(1)", "ValueError: expected '}' before end of string"],
    ["'{}'.format()", "IndexError: Replacement index 0 out of range for positional args tuple"],
    ["'{a}'.format()", "KeyError: 'a'"],
    [
      "'{}{0}'.format(1)",
      "ValueError: cannot switch from manual field specification to automatic field numbering",
    ],
    ["'{!x}'.format(1)", "ValueError: Unknown conversion specifier x"],
    ["'{0.a.b}'.format({})", "UndefinedError: 'dict object' has no attribute 'a'"],
  ])("%s raises %s", (expression, error) => {
    expect(raised(expression)).toBe(error);
  });
});
