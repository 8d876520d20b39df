import { describe, expect, test } from "bun:test";
import { ContextNames } from "../../src/chat-template/variables.ts";
import { render } from "./rendering.ts";

describe("variables", () => {
  test.each([
    ["{{ x }}{% if y %}{% set x = 2 %}{% endif %}{{ x }}", "11"],
    ["{% if not y %}{% set x = 2 %}{% endif %}{{ x }}", "2"],
    ["{% for i in [1, 2] %}{% set x = x + i %}{{ x }}{% endfor %}{{ x }}", "231"],
    ["{% macro m() %}{{ x }}{% endmacro %}{% for x in [5] %}{{ m() }}{% endfor %}", "1"],
    ["{% for x in [5] %}{% macro m() %}{{ x }}{% endmacro %}{{ m() }}{% endfor %}", "5"],
    ["{% macro m() %}{{ x }}{% endmacro %}{{ m() }}{% set x = 2 %}{{ m() }}", "2"],
    [
      "{% macro outer() %}{% set z = 3 %}{% macro inner() %}{{ z }}{{ x }}{% endmacro %}{{ inner() }}{% endmacro %}{{ outer() }}",
      "31",
    ],
    ["{% with i = x %}{{ x }}{% set x = 7 %}{{ x }}{% endwith %}{{ x }}", "171"],
    ["{% set n = none %}{{ n }}{{ n is defined }}", "NoneTrue"],
  ])("%s prints %s", (source, text) => {
    expect(render(source, '{"x": 1, "y": false}')).toBe(text);
  });
});

describe("ContextNames", () => {
  test("gives a name the same index each time", () => {
    const context = new ContextNames();
    expect([context.indexOf("a"), context.indexOf("b"), context.indexOf("a")]).toEqual([0, 1, 0]);
    expect(context.names).toEqual(["a", "b"]);
  });
});
