import { describe, expect, test } from "bun:test";
import { printed, raised } from "./rendering.ts";

const variables = '{"x": {"b": [1, 1.0, null], "a": {}, "é": "<\\u2028>"}}';

describe("toJson()", () => {
  test.each([
    ["x|tojson", '{"b": [1, 1.0, null], "a": {}, "é": "<\u2028>"}'],
    ["x|tojson(ensure_ascii=true)", '{"b": [1, 1.0, null], "a": {}, "\\u00e9": "<\\u2028>"}'],
    ["x|tojson(separators=(',', ':'))", '{"b":[1,1.0,null],"a":{},"é":"<\u2028>"}'],
    [
      "{'b': [1], 'a': ()}|tojson(indent=2, sort_keys=true)",
      '{\n  "a": [],\n  "b": [\n    1\n  ]\n}',
    ],
    ["[1]|tojson(indent='\\t')", "[\n\t1\n]"],
    ["[1]|tojson(indent=0)", "[\n1\n]"],
    ["{1: 'a', none: 'b', true: 'c', 1.5: 'd'}|tojson", '{"1": "c", "null": "b", "1.5": "d"}'],
    ["(1, ('a',))|tojson", '[1, ["a"]]'],
    ["'a'|tojson(indent=[])", '"a"'],
    ["12345678901234567890|tojson", "12345678901234567890"],
  ])("%s", (expression, text) => {
    expect(printed(expression, variables)).toBe(text);
  });

  test.each([
    ["missing|tojson", "TypeError: Object of type Undefined is not JSON serializable"],
    ["[dict]|tojson", "TypeError: Object of type TemplateDict is not JSON serializable"],
    ["{(1,): 2}|tojson", "TypeError: keys must be str, int, float, bool or None, not tuple"],
    [
      "{1: 2, 'a': 3}|tojson(sort_keys=true)",
      "TypeError: '<' not supported between instances of 'str' and 'int'",
    ],
    ["x|tojson(separators=(',',))", "ValueError: not enough values to unpack (expected 2, got 1)"],
    ["x|tojson(indent=1.5)", "TypeError: can't multiply sequence by non-int of type 'float'"],
    ["x|tojson(nothing=1)", "TypeError: tojson() got an unexpected keyword argument 'nothing'"],
  ])("%s raises %s", (expression, error) => {
    expect(raised(expression, variables)).toBe(error);
  });
});
