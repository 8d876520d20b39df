import { describe, expect, test } from "bun:test";
import { failure, render } from "./rendering.ts";

const tree = '{"tree": [{"n": "a", "c": [{"n": "b", "c": []}]}, {"n": "d", "c": []}]}';

describe("for loops", () => {
  test.each([
    ["{% for x in [1, 2] %}{{ x }}{% else %}none{% endfor %}", "12"],
    ["{% for x in [] %}{{ x }}{% else %}none{% endfor %}", "none"],
    ["{% for x in missing %}{{ x }}{% else %}none{% endfor %}", "none"],
    ["{% for k, v in {'a': 1}.items() %}{{ k }}{{ v }}{% endfor %}", "a1"],
    ["{% for x in [1, 2, 3, 4] if x is even %}{{ loop.index }}{{ x }}{% endfor %}", "1224"],
    ["{% for x in [1, 2, 3] %}{% if x == 2 %}{% continue %}{% endif %}{{ x }}{% endfor %}", "13"],
    ["{% for x in [1, 2, 3] %}{% if x == 2 %}{% break %}{% endif %}{{ x }}{% endfor %}", "1"],
    ["{% for x in 1, 2 %}{{ x }}{% endfor %}", "12"],
    [
      "{% for x in 'ab' %}{% for y in 'cd' %}{{ x }}{{ y }} {% endfor %}{% endfor %}",
      "ac ad bc bd ",
    ],
  ])("%s prints %s", (source, text) => {
    expect(render(source)).toBe(text);
  });

  test("run their else when no round came to its end, as Jinja's do", () => {
    expect(render("{% for x in [1] %}{{ x }}{% break %}{% else %}none{% endfor %}")).toBe("1none");
    expect(render("{% for x in [1] %}{% continue %}{% else %}none{% endfor %}")).toBe("none");
  });

  test("keep what they assign to themselves", () => {
    const source =
      "{% set x = 0 %}{% for i in [1, 2] %}{{ x }}{% set x = i %}{{ x }}{% endfor %}{{ x }}";
    expect(render(source)).toBe("01020");
    expect(render("{% for i in [1] %}{% set y = 1 %}{% endfor %}{{ y is defined }}")).toBe("False");
  });

  test("recurse with depth, also through a filter", () => {
    const source =
      "{% for x in tree recursive %}{{ loop.depth }}{{ x.n }}{% if x.c %}({{ loop(x.c)|upper }}){% endif %}{% endfor %}";
    expect(render(source, tree)).toBe("1a(2B)1d");
  });

  test("see the outer loop in what they loop over and in their condition", () => {
    const source =
      "{% for x in [1, 2] %}{% for y in [loop.index] if loop.index == y %}{{ y }}{% endfor %}{% endfor %}";
    expect(render(source)).toBe("12");
  });

  test.each([
    ["{% for x in none %}{% endfor %}", "TypeError", "'NoneType' object is not iterable"],
    ["{% for a, b in [1] %}{% endfor %}", "TypeError", "cannot unpack non-iterable int object"],
    ["{% for a, b in [[1]] %}{% endfor %}", "ValueError", "not enough values to unpack"],
    [
      "{% for x in [1] %}{{ loop([2]) }}{% endfor %}",
      "TypeError",
      "The loop must have the 'recursive'",
    ],
  ])("%s raises %s", (source, pythonClass, reason) => {
    const error = failure(() => render(source));
    expect(error.pythonClass).toBe(pythonClass);
    expect(error.reason).toStartWith(reason);
  });
});
