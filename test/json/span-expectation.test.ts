import { expect, test } from "bun:test";
import { expectedText } from "../../src/json/span-expectation.ts";

test("expectedText names the bracket of the container", () => {
  expect(expectedText("commaOrEnd", true)).toBe("',' or '}'");
  expect(expectedText("commaOrEnd", false)).toBe("',' or ']'");
  expect(expectedText("nothing", false)).toBe("the end of the document");
});
