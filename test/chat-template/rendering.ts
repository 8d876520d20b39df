/**
 * What the tests of the template engine share: rendering a source, printing one expression, and
 * catching the error of either.
 */
import { compileChatTemplate } from "../../src/chat-template/chat-template.ts";
import { TemplateFailure } from "../../src/chat-template/errors.ts";
import type { Value } from "../../src/chat-template/values.ts";
import { parseJson } from "../../src/json/lossless.ts";
import type { JsonObject } from "../../src/json/values.ts";

/** Renders a source with the variables of a JSON object. */
export function render(source: string, variables = "{}"): string {
  return compileChatTemplate(source, "test").render(parseJson(variables) as JsonObject);
}

/** What `{{ expression }}` prints. */
export function printed(expression: string, variables = "{}"): string {
  return render(`{{ ${expression} }}`, variables);
}

/** The error that an action must end with. */
export function failure(action: () => unknown): TemplateFailure {
  try {
    action();
  } catch (error) {
    if (error instanceof TemplateFailure) return error;
    throw error;
  }
  throw new Error("there was no error");
}

/** The class and the text of the error of `{{ expression }}`, as Python prints an exception. */
export function raised(expression: string, variables = "{}"): string {
  const { pythonClass, reason } = failure(() => printed(expression, variables));
  return `${pythonClass}: ${reason}`;
}

/** A JSON text as a template's value. */
export function json(text: string): Value {
  return parseJson(text) as Value;
}
