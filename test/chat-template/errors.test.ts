import { describe, expect, test } from "bun:test";
import {
  runtimeError,
  syntaxError,
  TemplateError,
  TemplateTypeError,
  typeError,
} from "../../src/chat-template/errors.ts";

describe("TemplateFailure", () => {
  test("gets its place once and shows it", () => {
    const error = runtimeError("words").locate("a.jinja", 3);
    expect(error.locate("b.jinja", 4)).toMatchObject({ template: "a.jinja", line: 3 });
    expect(error.message).toBe("TemplateRuntimeError: words (template a.jinja, line 3)");
  });

  test("keeps the line that a syntax error knows itself", () => {
    expect(syntaxError("words", 7).locate("a.jinja", 1).line).toBe(7);
  });

  test("is of one family or the other", () => {
    expect(syntaxError("", 1)).toBeInstanceOf(TemplateError);
    expect(typeError("")).toBeInstanceOf(TemplateTypeError);
    expect(typeError("")).not.toBeInstanceOf(TemplateError);
  });
});
