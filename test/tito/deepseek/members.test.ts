import { expect, test } from "bun:test";
import {
  encodeParameters,
  encodeResponseFormat,
  textOf,
  textOrEmpty,
  toolCallsOf,
  toolSchemas,
} from "../../../src/tito/deepseek/members.ts";
import { object } from "../../fixtures/json.ts";

test("toolCallsOf() gives name and arguments of each call and where they stand", () => {
  const message = object('{"tool_calls": [{"function": {"name": "f", "arguments": null}}]}');
  expect(toolCallsOf(message, 3)).toEqual([
    { where: ".tool_calls[0].function", name: "f", arguments: null },
  ]);
  expect(toolCallsOf(object('{"tool_calls": null}'), 0)).toEqual([]);
  expect(() => toolCallsOf(object('{"tool_calls": "x"}'), 0)).toThrow("must be a list");
});

test("encodeParameters() leaves texts as they are and writes the rest as JSON", () => {
  expect(encodeParameters(object('{"a": "<x>", "b": [1.0, null]}'))).toBe(
    '<｜DSML｜parameter name="a" string="true"><x></｜DSML｜parameter>\n' +
      '<｜DSML｜parameter name="b" string="false">[1.0, null]</｜DSML｜parameter>',
  );
});

test("toolSchemas() writes one function a line", () => {
  const message = object('{"tools": [{"function": {"name": "f"}}, {"function": null}]}');
  expect(toolSchemas(message, 0)).toBe('{"name": "f"}\nnull');
  expect(toolSchemas(object("{}"), 0)).toBe("");
  expect(() => toolSchemas(object('{"tools": [{}]}'), 0)).toThrow(".tools[0] must be an object");
});

test("encodeResponseFormat() is empty for what is false in Python", () => {
  expect(encodeResponseFormat(object('{"response_format": {}}'))).toBe("");
  expect(encodeResponseFormat(object('{"response_format": {"a": 1}}'))).toEndWith('\n{"a": 1}');
});

test("textOf() and textOrEmpty() print as Python's str.format does", () => {
  expect([textOf(undefined), textOf(null), textOf("x"), textOf(true)]).toEqual([
    "None",
    "None",
    "x",
    "True",
  ]);
  expect([textOrEmpty(null), textOrEmpty(0), textOrEmpty(["a"])]).toEqual(["", "", "['a']"]);
});
