import { describe, expect, test } from "bun:test";
import { printed, raised } from "./rendering.ts";

describe("formatPercent()", () => {
  test.each([
    ["'%s %r' % ('a', 'a')", "a 'a'"],
    ["'%5s|%-5s|%.2s' % ('ab', 'ab', 'abc')", "   ab|ab   |ab"],
    ["'%d %i %5d|%-5d|%05d' % (1, -2, 3, 4, -5)", "1 -2     3|4    |-0005"],
    ["'%+d % d %.3d' % (1, 1, 1)", "+1  1 001"],
    ["'%x %X %o %#x' % (255, 255, 8, 255)", "ff FF 10 0xff"],
    ["'%.2f %f %.0f %8.2f|' % (1.005, 1, 2.5, 3)", "1.00 1.000000 2     3.00|"],
    ["'%e %.1E %g %G' % (12345.678, 0.00012, 1e20, 1e-7)", "1.234568e+04 1.2E-04 1e+20 1E-07"],
    ["'%c%c' % ('a', 98)", "ab"],
    ["'%*d|%.*f' % (5, 1, 2, 1.5)", "    1|1.50"],
    ["'%(a)s-%(b)d' % {'a': 'x', 'b': 2}", "x-2"],
    ["'%s%%' % 5", "5%"],
    ["'%s' % [1, 2]", "[1, 2]"],
    ["'plain' % {}", "plain"],
    ["'%d' % 2.9", "2"],
    ["'%d' % true", "1"],
    ["'%s|%s' | format('a', 1)", "a|1"],
    ["'%(k)s' | format(k='v')", "v"],
    ["'%s' % missing", ""],
    ["'%5.1f' % -0.04", " -0.0"],
  ])("%s prints %s", (expression, text) => {
    expect(printed(expression)).toBe(text);
  });

  test.each([
    ["'%s %s' % 'a'", "TypeError: not enough arguments for format string"],
    ["'a' % 1", "TypeError: not all arguments converted during string formatting"],
    ["'%d' % 'a'", "TypeError: %d format: a real number is required, not str"],
    ["'%x' % 1.5", "TypeError: %x format: an integer is required, not float"],
    ["'%f' % 'a'", "TypeError: must be real number, not str"],
    ["'%(a)s' % 1", "TypeError: format requires a mapping"],
    ["'%(a)s' % {}", "KeyError: 'a'"],
    ["'%y' % 1", "ValueError: unsupported format character 'y' (0x79)"],
    ["'%' % 1", "ValueError: incomplete format"],
    ["'%d' % missing", "UndefinedError: 'missing' is undefined"],
    [
      "'%s' | format('a', k=1)",
      "FilterArgumentError: can't handle positional and keyword arguments at the same time",
    ],
  ])("%s raises %s", (expression, error) => {
    expect(raised(expression)).toBe(error);
  });
});
