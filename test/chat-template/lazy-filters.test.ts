import { describe, expect, test } from "bun:test";
import { printed, raised, render } from "./rendering.ts";

const variables = '{"l": [1, "a", null, 2], "d": [{"n": "b", "v": 2}, {"n": "a"}]}';

describe("lazy filters", () => {
  test.each([
    ["l|select('number')", "[1, 2]"],
    ["l|reject('none')", "[1, 'a', 2]"],
    ["l|select", "[1, 'a', 2]"],
    ["d|selectattr('v')|map(attribute='n')", "['b']"],
    ["d|rejectattr('v', 'defined')", "[{'n': 'a'}]"],
    ["d|map(attribute='v', default=0)", "[2, 0]"],
    ["['a', 'b']|map('replace', 'a', 'c')", "['c', 'b']"],
    ["['b', 'B', 'a']|unique", "['b', 'a']"],
    ["['b', 'B']|unique(true)", "['b', 'B']"],
    ["[1, 1.0, true]|unique", "[1]"],
    ["l|batch(3, 'x')", "[[1, 'a', None], [2, 'x', 'x']]"],
    ["l|slice(3)", "[[1, 'a'], [None], [2]]"],
    ["l|slice(3, 'x')", "[[1, 'a'], [None, 'x'], [2, 'x']]"],
    ["{'a': 1}|items", "[('a', 1)]"],
    ["missing|items", "[]"],
    ["missing|map('upper')", "[]"],
  ])("%s gives %s", (expression, items) => {
    expect(printed(`${expression}|list`, variables)).toBe(items);
  });

  test("run, and fail, only when an item is asked for", () => {
    expect(render("{% set x = 5|selectattr('a') %}{% set y = []|map('nofilter') %}ok")).toBe("ok");
    expect(raised("5|select|list")).toBe("TypeError: 'int' object is not iterable");
    expect(raised("[1]|map('nofilter')|list")).toBe(
      "TemplateRuntimeError: No filter named 'nofilter'.",
    );
    expect(raised("[1]|select('notest')|list")).toBe(
      "TemplateRuntimeError: No test named 'notest'.",
    );
    expect(raised("[1]|map|list")).toBe("FilterArgumentError: map requires a filter argument");
  });

  test("are spent once", () => {
    const source = "{% set x = l|select %}{{ x|first }}{{ x|list }}{{ x|list }}";
    expect(render(source, variables)).toBe("1['a', 2][]");
  });

  test("see what a loop's body does between two items", () => {
    const source =
      "{% set ns = namespace(s=0) %}{% for x in [1, 2, 3] if x > ns.s %}{{ x }}{% set ns.s = 2 %}{% endfor %}";
    expect(render(source)).toBe("13");
  });

  test("are no JSON and have no length", () => {
    expect(raised("l|select|tojson", variables)).toBe(
      "TypeError: Object of type generator is not JSON serializable",
    );
    expect(raised("l|select|length", variables)).toBe(
      "TypeError: object of type 'generator' has no len()",
    );
  });
});
