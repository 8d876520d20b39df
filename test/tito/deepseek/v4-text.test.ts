import { expect, test } from "bun:test";
import {
  maximumEffort,
  taskMarkers,
  toolCallsElement,
  toolResultElement,
  toolsBlock,
} from "../../../src/tito/deepseek/v4-text.ts";

test("toolsBlock() holds the schemas, and no line that was broken in the source", () => {
  const block = toolsBlock('{"a": 1}');
  expect(block).toContain('### Available Tool Schemas\n\n{"a": 1}\n\nYou MUST strictly');
  expect(block.split("\n").filter((line) => line.startsWith(" ") || line.endsWith(" "))).toEqual(
    [],
  );
});

test("texts of calls, results, tasks and effort", () => {
  expect(toolCallsElement("X")).toBe("<｜DSML｜tool_calls>\nX\n</｜DSML｜tool_calls>");
  expect(toolResultElement("X")).toBe("<tool_result>X</tool_result>");
  expect(taskMarkers.get("read_url")).toBe("<｜read_url｜>");
  expect(maximumEffort.split("\n").length).toBe(5);
});
