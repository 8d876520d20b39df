import { describe, expect, test } from "bun:test";
import { printed, raised } from "./rendering.ts";

const variables = '{"d": [{"n": "b", "v": 2}, {"n": "A", "v": 1}, {"n": "a", "v": 2}]}';

describe("sequence filters", () => {
  test.each([
    ["[]|first is defined, [1, 2]|first, 'ab'|first", "(False, 1, 'a')"],
    ["[1, 2]|last, {'a': 1, 'b': 2}|last, range(3)|last, []|last is defined", "(2, 'b', 2, False)"],
    ["['b', 'A', 'c']|sort, ['b', 'A']|sort(case_sensitive=true)", "(['A', 'b', 'c'], ['A', 'b'])"],
    ["[2, 1]|sort(reverse=true), [true, 0.5, 1]|sort", "([2, 1], [0.5, True, 1])"],
    ["d|sort(attribute='n')|map(attribute='n')|list", "['A', 'a', 'b']"],
    ["d|sort(attribute='v,n')|map(attribute='n')|list", "['A', 'a', 'b']"],
    ["d|groupby('v')|map('last')|map('length')|list", "[1, 2]"],
    ["d|groupby('n')|map(attribute='grouper')|list", "['A', 'b']"],
    ["d|groupby('x', default='?')|map('first')|list", "['?']"],
    ["[3, 1, 2]|min, ['b', 'A']|max, []|min is defined, [none]|max", "(1, 'b', False, None)"],
    ["d|max(attribute='v')", "{'n': 'b', 'v': 2}"],
    ["[1, 2.5]|sum, d|sum(attribute='v'), [[1], [2]]|sum(start=[])", "(3.5, 5, [1, 2])"],
    [
      "[1, none, 'a']|join, [1, 2]|join(', '), d|join('-', attribute='n')",
      "('1Nonea', '1, 2', 'b-A-a')",
    ],
    ["'abc'|reverse, [1, 2]|reverse|list, missing|reverse|list", "('cba', [2, 1], [])"],
    [
      "{'b': 1, 'a': 2}|dictsort, {'b': 1, 'a': 2}|dictsort(by='value')",
      "([('a', 2), ('b', 1)], [('b', 1), ('a', 2)])",
    ],
    ["'a😀'|length, {}|count, missing|length", "(2, 0, 0)"],
    ["'ab'|list, {'a': 1}|list, (1, 2)|list", "(['a', 'b'], ['a'], [1, 2])"],
  ])("%s are %s", (expressions, values) => {
    const isTuple = values.startsWith("(");
    expect(printed(isTuple ? `(${expressions})` : expressions, variables)).toBe(values);
  });

  test.each([
    ["[1, 'a']|sort", "TypeError: '<' not supported between instances of 'str' and 'int'"],
    ["1|length", "TypeError: object of type 'int' has no len()"],
    ["1|reverse", "FilterArgumentError: argument must be iterable"],
    ["[1]|dictsort", "AttributeError: 'list' object has no attribute 'items'"],
    ["{}|dictsort(by='x')", 'FilterArgumentError: You can only sort by either "key" or "value"'],
    ["['a']|sum", "TypeError: unsupported operand type(s) for +: 'int' and 'str'"],
    ["[]|sum(start='')", "TypeError: sum() can't sum strings [use ''.join(seq) instead]"],
    ["[1]|select|last", "TypeError: 'generator' object is not reversible"],
    ["none|join", "TypeError: 'NoneType' object is not iterable"],
  ])("%s raises %s", (expression, error) => {
    expect(raised(expression)).toBe(error);
  });
});
