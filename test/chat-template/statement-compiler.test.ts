import { describe, expect, test } from "bun:test";
import { failure, render } from "./rendering.ts";

describe("statements", () => {
  test.each([
    ["{% if 0 %}a{% elif 1 %}b{% else %}c{% endif %}", "b"],
    ["{% if x %}{% set y = 1 %}{% endif %}{{ y }}", ""],
    ["{% set a, b = 'xy' %}{{ b }}{{ a }}", "yx"],
    ["{% set ns = namespace() %}{% set ns.a, b = 1, 2 %}{{ ns.a }}{{ b }}", "12"],
    ["{% set x | upper | replace('A', 'b') %}a{{ 1 }}{% endset %}{{ x }}", "b1"],
    ["{% set x %}{% set y = 1 %}{% endset %}{{ y is defined }}", "False"],
    ["{% filter upper %}a{% set y = 'b' %}{{ y }}{% endfilter %}{{ y is defined }}", "ABFalse"],
    ["{% set x = 1 %}{% with x = 2, y = x %}{{ x }}{{ y }}{% endwith %}{{ x }}", "211"],
    ["{% generation %}a{% set y = 1 %}{{ y }}{% endgeneration %}{{ y is defined }}", "a1False"],
    [
      "{% for x in [1, 2] %}{% set y %}{{ x }}{% if x == 1 %}{% continue %}{% endif %}{% endset %}{{ y }}{% endfor %}",
      "2",
    ],
    ["{% print 1, 'a' %}", "1a"],
    [
      "{% macro m(x) %}{{ caller(x) }}{% endmacro %}{% call(y) m(3) %}<{{ y }}>{% endcall %}",
      "<3>",
    ],
  ])("%s prints %s", (source, text) => {
    expect(render(source)).toBe(text);
  });

  test.each([
    [
      "{% set d = {} %}{% set d.a = 1 %}",
      "TemplateRuntimeError",
      "cannot assign attribute on non-namespace object",
    ],
    [
      "{% set ns = namespace() %}{% set ns._a = 1 %}",
      "SecurityError",
      "Chat templates cannot store underscore-prefixed",
    ],
    [
      "{% filter length %}a{% endfilter %}",
      "TypeError",
      "sequence item 0: expected str instance, int found",
    ],
    [
      "{% set l.a %}{% endset %}",
      "TypeError",
      "'_MissingType' object does not support item assignment",
    ],
    ["{% macro m() %}{% break %}{% endmacro %}", "TemplateSyntaxError", "'break' outside loop"],
    ["{% set a, b = 1 %}", "TypeError", "cannot unpack non-iterable int object"],
  ])("%s raises %s", (source, pythonClass, reason) => {
    const error = failure(() => render(source));
    expect(error.pythonClass).toBe(pythonClass);
    expect(error.reason).toStartWith(reason);
  });

  test("check what they assign to before they compute the value", () => {
    expect(
      failure(() => render("{% set d = {} %}{% set d.a = nothing.at.all %}")).reason,
    ).toStartWith("cannot assign");
  });
});
