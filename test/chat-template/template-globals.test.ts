import { describe, expect, test } from "bun:test";
import { printed, raised, render } from "./rendering.ts";

describe("globals", () => {
  test.each([
    ["range(3)|list, range(1, 3)|list, range(3, 0, -2)|list", "([0, 1, 2], [1, 2], [3, 1])"],
    ["dict(a=1), dict({'b': 2}, c=3), dict()", "({'a': 1}, {'b': 2, 'c': 3}, {})"],
    [
      "namespace(a=1), namespace({'b': 2}).b, namespace().x is defined",
      "(<Namespace {'a': 1}>, 2, False)",
    ],
  ])("%s", (expressions, values) => {
    expect(printed(`(${expressions})`)).toBe(values);
  });

  test("cycler and joiner keep their place", () => {
    expect(
      render(
        "{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.current }}{{ c.reset() }}{{ c.pos }}",
      ),
    ).toBe("abaNone0");
    expect(render("{% set j = joiner('; ') %}{{ j() }}a{{ j() }}b{{ j() }}")).toBe("a; b; ");
  });

  test.each([
    ["range()", "TypeError: range expected 1 to 3 arguments, got 0"],
    ["range('a')", "TypeError: 'str' object cannot be interpreted as an integer"],
    ["range(1, 2, 0)", "ValueError: range() arg 3 must not be zero"],
    ["cycler()", "RuntimeError: at least one item has to be provided"],
    ["raise_exception()", "TypeError: raise_exception() missing required argument 'message'"],
    ["raise_exception(none)", "TemplateError: None"],
    ["strftime_now(1)", "TypeError: strftime() argument 1 must be str, not int"],
    [
      "namespace(_a=1)",
      "SecurityError: Chat templates cannot store underscore-prefixed attributes",
    ],
    ["lipsum()", "TemplateRuntimeError: lipsum() is not supported by this template engine"],
  ])("%s raises %s", (expression, error) => {
    expect(raised(expression)).toStartWith(error);
  });
});
