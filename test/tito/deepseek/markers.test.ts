import { expect, test } from "bun:test";
import {
  invokeElement,
  parameterElement,
  responseFormatBlock,
} from "../../../src/tito/deepseek/markers.ts";

test("elements of a call are nested by their texts alone", () => {
  expect(invokeElement("f", parameterElement("a", true, "</x>"))).toBe(
    '<｜DSML｜invoke name="f">\n' +
      '<｜DSML｜parameter name="a" string="true"></x></｜DSML｜parameter>\n</｜DSML｜invoke>',
  );
});

test("responseFormatBlock() ends with the schema", () => {
  expect(responseFormatBlock("{}")).toBe(
    "## Response Format:\n\nYou MUST strictly adhere to the following schema to reply:\n{}",
  );
});
