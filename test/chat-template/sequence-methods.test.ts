import { describe, expect, test } from "bun:test";
import { listMethods, listMutators } from "../../src/chat-template/sequence-methods.ts";
import { printed, raised } from "./rendering.ts";

describe("methods of list, tuple and range", () => {
  test.each([
    ["[1, 2, 1.0].count(1), (1, true).count(1), range(5).count(2)", "(2, 2, 1)"],
    ["[1, 2, 1].index(1), [1, 2, 1].index(1, 1), [1, 2].index(2, -1)", "(0, 2, 1)"],
    ["[1].copy(), ('a', 'b').index('b'), range(0, 9, 3).index(6)", "([1], 1, 2)"],
  ])("%s", (expressions, values) => {
    expect(printed(`(${expressions})`)).toBe(values);
  });

  test.each([
    ["[1].index(2)", "ValueError: 2 is not in list"],
    ["(1,).index(2)", "ValueError: tuple.index(x): x not in tuple"],
    ["[1].count()", "TypeError: count() missing required argument 'value'"],
    ["[1].copy(1)", "TypeError: list.copy() takes no arguments (1 given)"],
  ])("%s raises %s", (expression, error) => {
    expect(raised(expression)).toBe(error);
  });

  test("are all of list's, together with those the sandbox refuses", () => {
    expect([...listMethods.keys(), ...listMutators].sort()).toEqual(
      "append clear copy count extend index insert pop remove reverse sort".split(" "),
    );
  });
});
