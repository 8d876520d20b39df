// spec: DeepSeek-V3.2's encoding_dsv32.py, with drop_thinking honoured as miles does
/**
 * DeepSeek V3.2's prompt format: the model ships an encoder and no chat template.
 *
 * A user or developer message ends with the opener of the answer, and so does the last result of
 * a run of tools. Without `dropThinking` every assistant message keeps its thinking block, so a
 * history is a prefix of every longer one; with it only those after the last user message do.
 *
 * Reports    RenderError for what the format cannot express: unknown roles, tool results without
 *            calls, arguments that are not an object.
 * Not here   kwargs, tools of the request, generation prompts: renderer.ts.
 */
import { print } from "../../chat-template/printing.ts";
import { isTruthy } from "../../json/python-truth.ts";
import type { JsonObject } from "../../json/values.ts";
import { parseToolArguments } from "../message-normalization.ts";
import { RenderError } from "../render-error.ts";
import {
  assistantMarker,
  beginOfSentence,
  endOfSentence,
  invokeElement,
  thinkingEnd,
  thinkingStart,
  userMarker,
} from "./markers.ts";
import {
  encodeParameters,
  encodeResponseFormat,
  type ToolCall,
  textOf,
  textOrEmpty,
  toolCallsOf,
  toolSchemas,
} from "./members.ts";
import { functionCallsElement, toolsBlock } from "./v32-text.ts";

export interface DeepseekV32Options {
  readonly thinking: boolean;
  /** Leaves thinking out of what stands before the last user message. */
  readonly dropThinking: boolean;
  readonly addBeginOfSentence: boolean;
}

export function encodeDeepseekV32(
  messages: readonly JsonObject[],
  options: DeepseekV32Options,
): string {
  const conversation = new Conversation(messages, options);
  const parts = messages.map((_, index) => conversation.encode(index));
  return (options.addBeginOfSentence ? beginOfSentence : "") + parts.join("");
}

class Conversation {
  readonly #messages: readonly JsonObject[];
  readonly #thinking: boolean;
  readonly #dropThinking: boolean;
  readonly #lastUserIndex: number;

  constructor(messages: readonly JsonObject[], options: DeepseekV32Options) {
    this.#messages = messages;
    this.#thinking = options.thinking;
    this.#dropThinking = options.dropThinking;
    this.#lastUserIndex = messages.findLastIndex((message) => {
      const role = message.get("role");
      return role === "user" || role === "developer";
    });
  }

  encode(index: number): string {
    const message = this.#messages[index] ?? new Map();
    const schemas = toolSchemas(message, index);
    const tools = schemas === "" ? "" : toolsBlock(schemas);
    const calls = toolCallsOf(message, index);
    const responseFormat = encodeResponseFormat(message);
    switch (message.get("role")) {
      case "system":
        return [textOrEmpty(message.get("content")), tools, responseFormat]
          .filter((part, position) => position === 0 || part !== "")
          .join("\n\n");
      case "developer":
        return this.#developer(message, index, tools, responseFormat);
      case "user":
        return this.#userTurn(textOf(message.get("content")), index);
      case "tool":
        return this.#toolResult(message, index);
      case "assistant":
        return this.#assistant(message, index, calls);
      default:
        throw new RenderError(
          index,
          `.role is ${print(message.get("role") ?? null)}, which the DeepSeek V3.2 encoder ` +
            "does not know: it takes system, developer, user, assistant and tool",
        );
    }
  }

  #developer(message: JsonObject, index: number, tools: string, responseFormat: string): string {
    const content = message.get("content");
    if (!isTruthy(content)) throw new RenderError(index, " is a developer message without content");
    if (this.#thinking && this.#dropThinking && index < this.#lastUserIndex) {
      throw new RenderError(
        index,
        " is a developer message before the last user message: drop_thinking does not allow it",
      );
    }
    const parts = [tools, responseFormat, `# The user's message is: ${textOf(content)}`];
    const body = parts.filter((part) => part !== "").map((part) => `\n\n${part}`);
    return this.#userTurn(body.join(""), index);
  }

  #userTurn(text: string, index: number): string {
    const opensThinking = this.#keepsThinking(index === this.#lastUserIndex);
    const bracket = opensThinking ? thinkingStart : thinkingEnd;
    return userMarker + text + assistantMarker + bracket;
  }

  #toolResult(message: JsonObject, index: number): string {
    let caller = index - 1;
    while (caller >= 0 && this.#messages[caller]?.get("role") === "tool") caller -= 1;
    // The original counts from the end where no message is left, so a leading result looks there.
    const callerMessage = this.#messages.at(caller);
    if (index !== 0 && (caller < 0 || callerMessage?.get("role") !== "assistant")) {
      throw new RenderError(index, " is a tool result that follows no assistant message");
    }
    const calls = callerMessage?.get("tool_calls");
    const position = index - caller;
    if (!Array.isArray(calls) || calls.length < position) {
      throw new RenderError(index, " is a tool result without a tool call that it answers");
    }
    const opening = position === 1 ? "\n\n<function_results>" : "";
    const result = `${opening}\n<result>${textOf(message.get("content"))}</result>`;
    if (position < calls.length) return result;
    const opensThinking = this.#keepsThinking(index >= this.#lastUserIndex);
    return `${result}\n</function_results>\n\n${opensThinking ? thinkingStart : thinkingEnd}`;
  }

  #assistant(message: JsonObject, index: number, calls: readonly ToolCall[]): string {
    const reasoning = message.get("reasoning_content");
    const isLatest = index > this.#lastUserIndex;
    const lacksThinking = !isTruthy(reasoning) && calls.length === 0;
    if (this.#thinking && this.#dropThinking && isLatest && lacksThinking) {
      throw new RenderError(
        index,
        " is an assistant message after the last user message with neither reasoning_content " +
          "nor tool_calls, which thinking mode requires",
      );
    }
    const thinking = this.#keepsThinking(isLatest) ? textOrEmpty(reasoning) + thinkingEnd : "";
    const invocations = calls.map((call) => encodeToolCall(call, index)).join("\n");
    const callsText = calls.length > 0 ? `\n\n${functionCallsElement(invocations)}` : "";
    return thinking + textOrEmpty(message.get("content")) + callsText + endOfSentence;
  }

  /** @param isRecent true where thinking is kept even when it is dropped from the past */
  #keepsThinking(isRecent: boolean): boolean {
    return this.#thinking && (!this.#dropThinking || isRecent);
  }
}

function encodeToolCall(call: ToolCall, index: number): string {
  const where = `${call.where}.arguments`;
  const value =
    typeof call.arguments === "string"
      ? parseToolArguments(call.arguments, index, where)
      : call.arguments;
  if (!(value instanceof Map)) throw new RenderError(index, `${where} must be a JSON object`);
  return invokeElement(textOf(call.name), encodeParameters(value));
}
