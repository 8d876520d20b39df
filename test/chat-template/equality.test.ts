import { describe, expect, test } from "bun:test";
import { contains, equal, findKey, setKey, sorted } from "../../src/chat-template/equality.ts";
import { Markup } from "../../src/chat-template/markup.ts";
import { type Dictionary, Tuple } from "../../src/chat-template/values.ts";
import { JsonFloat } from "../../src/json/values.ts";
import { failure, json, printed, raised } from "./rendering.ts";

describe("equal()", () => {
  test.each([
    ["1 == 1.0 == true", "True"],
    ["'1' == 1", "False"],
    ["(1,) == [1]", "False"],
    ["{'a': 1, 'b': 2} == {'b': 2.0, 'a': true}", "True"],
    ["{1: 'x'} == {true: 'x'}", "True"],
    ["missing == other_missing", "True"],
    ["missing == none", "False"],
    ["9007199254740993 == 9007199254740992.0", "False"],
  ])("%s is %s", (expression, result) => {
    expect(printed(expression)).toBe(result);
  });

  test("makes NaN equal to nothing but its own place in a container", () => {
    const nan = new JsonFloat(Number.NaN);
    expect(equal(nan, nan)).toBe(false);
    expect(equal([nan], [nan])).toBe(true);
    expect(contains([nan], nan)).toBe(true);
    expect(contains([new JsonFloat(Number.NaN)], nan)).toBe(false);
  });
});

describe("ordered()", () => {
  test.each([
    ["'a' < 'b', 'Z' < 'a', 'ab' > 'a'", "(True, True, True)"],
    ["[1, 2] < [1, 3], [1] < [1, 0], (1,) >= (1,)", "(True, True, True)"],
    ["1 < 1.5 < 2, true > false, 2 ** 60 > 1.0", "(True, True, True)"],
    ["'\uffff' < '😀'", "True"],
  ])("%s is %s", (expressions, results) => {
    expect(printed(expressions.includes(",") ? `(${expressions})` : expressions)).toBe(results);
  });

  test.each([
    ["1 < 'a'", "TypeError: '<' not supported between instances of 'int' and 'str'"],
    ["[1] >= ['a']", "TypeError: '>=' not supported between instances of 'int' and 'str'"],
    ["none > none", "TypeError: '>' not supported between instances of 'NoneType' and 'NoneType'"],
    ["{} < {}", "TypeError: '<' not supported between instances of 'dict' and 'dict'"],
    ["1 < missing", "UndefinedError: 'missing' is undefined"],
  ])("%s raises %s", (expression, error) => {
    expect(raised(expression)).toBe(error);
  });
});

describe("contains()", () => {
  test.each([
    ["'b' in 'abc', '' in '', 'a' in {'a': 1}", "(True, True, True)"],
    ["1 in [1.0], true in (1,), 1 in {true: 2}", "(True, True, True)"],
    ["2 in range(3), ('a', 1) in {'a': 1}.items(), 1 in missing", "(True, True, False)"],
  ])("%s is %s", (expressions, results) => {
    expect(printed(`(${expressions})`)).toBe(results);
  });

  test.each([
    ["1 in 'a'", "TypeError: 'in <string>' requires string as left operand, not int"],
    ["1 in none", "TypeError: argument of type 'NoneType' is not iterable"],
    ["[] in {}", "TypeError: unhashable type: 'list'"],
  ])("%s raises %s", (expression, error) => {
    expect(raised(expression)).toBe(error);
  });
});

describe("findKey() and setKey()", () => {
  test("take 1, 1.0 and True for one key, whose first spelling stays", () => {
    const dictionary: Dictionary = new Map();
    setKey(dictionary, true, "a");
    setKey(dictionary, 1, "b");
    setKey(dictionary, new JsonFloat(1), "c");
    expect([...dictionary]).toEqual([[true, "c"]]);
    expect(findKey(dictionary, 1n as never)).toBe(true);
  });

  test("compare tuples by content and Markup as its text", () => {
    const dictionary: Dictionary = new Map([[new Tuple([1]), "t"] as never, ["a", 1] as never]);
    expect(findKey(dictionary, new Tuple([new JsonFloat(1)]))).toEqual(new Tuple([1]));
    expect(findKey(dictionary, new Markup("a"))).toBe("a");
  });

  test("raise for what has no hash", () => {
    const dictionary = json("{}") as Dictionary;
    expect(failure(() => findKey(dictionary, new Tuple([[]]))).reason).toBe(
      "unhashable type: 'list'",
    );
  });
});

describe("sorted()", () => {
  test("is stable in both directions", () => {
    const items = json('[["b", 1], ["a", 1], ["c", 0]]') as string[][];
    const key = (item: unknown) => (item as [string, number])[1];
    expect(sorted(items, key, false).map((item) => (item as string[])[0])).toEqual(["c", "b", "a"]);
    expect(sorted(items, key, true).map((item) => (item as string[])[0])).toEqual(["b", "a", "c"]);
  });
});
