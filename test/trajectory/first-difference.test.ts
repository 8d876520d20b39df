import { expect, test } from "bun:test";
import { parseJson } from "../../src/json/lossless.ts";
import { firstDifference } from "../../src/trajectory/first-difference.ts";

test.each([
  ["1", "2", "", "1", "2"],
  ["[1, [2, 3]]", "[1, [2, 4]]", "[1][1]", "3", "4"],
  ["[1]", "[1, 2]", "[1]", "null", "2"],
  ["[1, 2]", "[1]", "[1]", "2", "null"],
  ['{"a": 1, "b": {"c": []}}', '{"b": {"c": {}}, "a": 1.0}', ".b.c", "[]", "{}"],
  ['{"a": 1}', '{"x": 0, "a": 1}', ".x", "null", "0"],
  ['{"a": 1, "b": null}', '{"a": 1}', ".b", "null", "null"],
  ['{"a b": 1, "": 2}', '{"a b": 1, "": 3}', '[""]', "2", "3"],
  ['[{"f": {"n": 1}}]', '[{"f": {"n": 1, "p": true}}]', "[0].f.p", "null", "true"],
  ["[1]", '{"a": 1}', "", "[1]", '{"a": 1}'],
])("firstDifference(%s, %s) is at %p", (stored, sent, path, own, other) => {
  expect(firstDifference(parseJson(stored), parseJson(sent))).toEqual({
    path,
    stored: parseJson(own),
    sent: parseJson(other),
  });
});
