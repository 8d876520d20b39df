import { describe, expect, test } from "bun:test";
import { failure, printed, render } from "./rendering.ts";

const variables = '{"a": "A", "e": "", "d": {"items": "I", "x": {"y": [1]}}}';

describe("expressions", () => {
  test.each([
    ["a and e, a or e, e or none, not e", "('', 'A', None, True)"],
    ["1 if a else 2, 1 if e else 2, (1 if e) is defined", "(1, 2, False)"],
    ["d.x.y[0], d['x']['y'], d.x.y.0", "(1, [1], 1)"],
    ["d.items is callable, d['items']", "(True, 'I')"],
    ["'abc'[1], 'abc'[-1:], [1, 2, 3][::2]", "('b', 'c', [1, 3])"],
    ["[], (), (1,), {}, {'k': [1]}", "([], (), (1,), {}, {'k': [1]})"],
    ["a ~ 1 ~ none, a is string, a is not number", "('A1None', True, True)"],
    ["a|lower|upper|length, -3|abs, 'x' 'y'", "(1, 3, 'xy')"],
    ["e and nothing.at.all, a or nothing.at.all", "('', 'A')"],
    ["1 < 2 > 1, 3 < 2 < nothing.at.all", "(True, False)"],
  ])("%s are %s", (expressions, values) => {
    expect(printed(`(${expressions})`, variables)).toBe(values);
  });

  test("slice by Python's rules, not by those of other keys", () => {
    expect(failure(() => printed("d[1:]", variables)).reason).toBe("unhashable type: 'slice'");
    expect(printed("d[1]", variables)).toBe("");
  });

  test("say where an inline if without else came from", () => {
    expect(failure(() => render("\n{{ ('x' if false).y }}")).reason).toBe(
      "the inline if-expression on line 2 evaluated to false and no else section was defined.",
    );
  });

  test("need a filter only where it is reached, but outside of an if always", () => {
    expect(printed("1 | nofilter if false else 2")).toBe("2");
    expect(
      failure(() => render("{% if x %}{% for a in x %}{{ a|nofilter }}{% endfor %}{% endif %}"))
        .reason,
    ).toBe("No filter named 'nofilter'.");
  });
});
