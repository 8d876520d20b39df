/**
 * Conversation to prompt text. Two kinds exist: a Jinja template, and the encoders of model types
 * that ship none.
 *
 * Contract   deterministic, synchronous, keeps no state between calls and changes no argument.
 * Reports    RenderError for everything that the messages, the tools or the kwargs make impossible.
 */
import type { JsonObject, JsonValue } from "../json/values.ts";

export interface RenderInput {
  /** At least one. */
  readonly messages: readonly JsonObject[];
  /** As the client sent them; null when there are none. */
  readonly tools: JsonValue;
  readonly addGenerationPrompt: boolean;
  readonly chatTemplateKwargs: JsonObject;
}

export interface ChatRenderer {
  /** @throws RenderError when no render could use these kwargs */
  validateKwargs(chatTemplateKwargs: JsonObject): void;
  /** @throws RenderError */
  render(input: RenderInput): string;
}
