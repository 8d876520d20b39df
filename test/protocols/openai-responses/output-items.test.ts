import { expect, test } from "bun:test";
import { readOutputItem } from "../../../src/protocols/openai-responses/output-items.ts";
import { jsonObject, plain } from "../answers.ts";

const read = (item: object, callIds: [string, string][] = []) =>
  plain(readOutputItem(jsonObject(item), "input[0]", new Map(callIds)));

const shellOutput = [{ stdout: "a", stderr: "", outcome: { type: "exit", exit_code: 0 } }];
const found = {
  type: "namespace",
  name: "n",
  tools: [{ type: "function", name: "f", parameters: {} }],
};

test.each([
  [{ type: "function_call_output", output: [{ type: "input_text", text: "r" }] }, "r"],
  [{ type: "custom_tool_call_output", output: "r" }, "r"],
  [{ type: "local_shell_call_output", output: "r" }, "r"],
  [{ type: "shell_call_output", output: shellOutput }, JSON.stringify(shellOutput)],
  [{ type: "apply_patch_call_output", status: "failed", output: "no file" }, "failed\nno file"],
  [{ type: "apply_patch_call_output", status: "completed" }, "completed"],
  [{ type: "tool_search_output", tools: [found] }, '[{"name":"n__f","parameters":{}}]'],
])("readOutputItem() of %j", (item, content) => {
  const message = { role: "tool", tool_call_id: "c1", content };
  expect(read({ call_id: "c1", ...item })).toEqual(message);
});

test("readOutputItem() finds the call of a local shell by its item", () => {
  const item = { type: "local_shell_call_output", id: "lsh_1", output: "r" };
  expect(read(item, [["lsh_1", "c1"]])).toMatchObject({ tool_call_id: "c1" });
  expect(read(item)).toMatchObject({ tool_call_id: "lsh_1" });
});

test("readOutputItem() refuses what is no text, and a result of no call", () => {
  const image = [{ type: "input_image", image_url: "data:" }];
  expect(() => read({ type: "function_call_output", call_id: "c1", output: image })).toThrow(
    'input[0].output[0]: its type is "input_image"',
  );
  expect(() => read({ type: "function_call_output", output: "r" })).toThrow(
    "input[0].call_id must be a string, got null",
  );
});
