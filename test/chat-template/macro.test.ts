import { describe, expect, test } from "bun:test";
import { failure, render } from "./rendering.ts";

const show = "{% macro m(a, b='B', c=a) %}[{{ a }}{{ b }}{{ c }}]{% endmacro %}";
const rest = "{% macro m(a) %}{{ a }}{{ varargs }}{{ kwargs }}{% endmacro %}";

describe("macros", () => {
  test.each([
    [`${show}{{ m(1) }}`, "[1B1]"],
    [`${show}{{ m(1, 2, 3) }}`, "[123]"],
    [`${show}{{ m(b=none, a=1) }}`, "[1None1]"],
    [`${show}{{ m() }}`, "[B]"],
    [`${rest}{{ m(1, 2, k=3) }}`, "1(2,){'k': 3}"],
    [
      `${show}{{ m }}{{ m.name }}{{ m.arguments }}{{ m.catch_kwargs }}`,
      "<Macro 'm'>m('a', 'b', 'c')False",
    ],
    ["{% macro m(n) %}{{ n }}{% if n %}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(2) }}", "210"],
    ["{% set x = 1 %}{% macro m() %}{{ x }}{% endmacro %}{% set x = 2 %}{{ m() }}", "2"],
    ["{% macro m() %}{% set y = 1 %}{% endmacro %}{{ m() }}{{ y is defined }}", "False"],
    ["{% macro m() %}{{ caller('c') }}{% endmacro %}{% call(x) m() %}{{ x }}!{% endcall %}", "c!"],
    ["{% macro m() %}{{ caller is defined }}{% endmacro %}{{ m() }}", "False"],
    ["{% macro m(caller=none) %}{{ caller }}{% endmacro %}{{ m() }}", "None"],
  ])("%s prints %s", (source, text) => {
    expect(render(source)).toBe(text);
  });

  test.each([
    [`${show}{{ m(1, 2, 3, 4) }}`, "macro 'm' takes not more than 3 argument(s)"],
    [`${show}{{ m(z=1) }}`, "macro 'm' takes no keyword argument 'z'"],
    [
      `${show}{% call m(1) %}{% endcall %}`,
      "macro 'm' was invoked with two values for the special",
    ],
    ["{% macro m(caller) %}{{ caller }}{% endmacro %}", "When defining macros or call blocks"],
  ])("%s raises %s", (source, reason) => {
    expect(failure(() => render(source)).reason).toStartWith(reason);
  });
});
