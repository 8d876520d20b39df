import { describe, expect, test } from "bun:test";
import { printed, raised } from "./rendering.ts";

describe("calls", () => {
  test.each([
    ["dict(*[[['a', 1]]], **{'b': 2})", "{'a': 1, 'b': 2}"],
    ["dict(a=1, b=2)", "{'a': 1, 'b': 2}"],
    ["'a-b'.split(*['-'])", "['a', 'b']"],
    ["x.get('a')", "1"],
    ["x['get']('a')", "1"],
    ["(x.get)('zz', 5)", "5"],
  ])("%s gives %s", (expression, text) => {
    expect(printed(expression, '{"x": {"a": 1}}')).toBe(text);
  });

  test.each([
    ["'a'()", "TypeError: 'str' object is not callable"],
    ["x.nothing()", "UndefinedError: 'dict object' has no attribute 'nothing'"],
    ["dict(**[1])", "TypeError: argument after ** must be a mapping, not list"],
    ["dict(a=1, **{'a': 2})", "TypeError: got multiple values for keyword argument 'a'"],
    ["dict(**{1: 2})", "TypeError: keywords must be strings"],
    ["dict(*1)", "TypeError: 'int' object is not iterable"],
  ])("%s raises %s", (expression, error) => {
    expect(raised(expression, '{"x": {}}')).toBe(error);
  });
});
