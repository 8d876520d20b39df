import { expect, test } from "bun:test";
import { functionCallsElement, toolsBlock } from "../../../src/tito/deepseek/v32-text.ts";

test("toolsBlock() holds the schemas between its tags, and no line that was broken in the source", () => {
  const block = toolsBlock('{"a": 1}\n{"b": 2}');
  expect(block).toEndWith('\n<functions>\n{"a": 1}\n{"b": 2}\n</functions>\n');
  expect(block.split("\n").filter((line) => line.startsWith(" ") || line.endsWith(" "))).toEqual(
    [],
  );
});

test("functionCallsElement() wraps the invocations", () => {
  expect(functionCallsElement("X")).toBe("<｜DSML｜function_calls>\nX\n</｜DSML｜function_calls>");
});
