// spec: sglang's encoding_dsv4.py, encode_messages and render_message
/**
 * DeepSeek V4's prompt format: the model ships an encoder and no chat template.
 *
 * Without `dropThinking` every assistant turn keeps its thinking block, so a history is a prefix of
 * every longer one. What opens the answer stands after a user's turn only where an answer follows,
 * or nothing at all.
 *
 * Reports    RenderError for what the format cannot express: unknown roles, content that is no
 *            text, tool calls without name or arguments.
 * Not here   kwargs, tools of the request, generation prompts: renderer.ts.
 */
import { print } from "../../chat-template/printing.ts";
import { JsonSyntaxError, parseJson } from "../../json/lossless.ts";
import { isTruthy } from "../../json/python-truth.ts";
import type { JsonObject, JsonValue } from "../../json/values.ts";
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
import {
  latestReminderMarker,
  maximumEffort,
  taskMarkers,
  toolCallsElement,
  toolsBlock,
} from "./v4-text.ts";
import { type DeepseekV4Turn, turnsOf } from "./v4-turns.ts";

export interface DeepseekV4Options {
  readonly thinking: boolean;
  /** Leaves thinking out of what stands before the last user message; off once there are tools. */
  readonly dropThinking: boolean;
  readonly addBeginOfSentence: boolean;
  /** Asks for as much thinking as there can be, in thinking mode. */
  readonly maximumEffort: boolean;
}

export function encodeDeepseekV4(
  messages: readonly JsonObject[],
  options: DeepseekV4Options,
): string {
  const turns = turnsOf(messages);
  const hasTools = turns.some((turn) => turn.blocks.length === 0 && hasOwnTools(turn));
  const dropThinking = options.dropThinking && !hasTools;
  const kept = options.thinking && dropThinking ? withoutOldDevelopers(turns) : turns;
  const conversation = new Conversation(kept, { ...options, dropThinking });
  const effort = options.thinking && options.maximumEffort && kept.length > 0 ? maximumEffort : "";
  return (
    (options.addBeginOfSentence ? beginOfSentence : "") +
    effort +
    kept.map((_, position) => conversation.encode(position)).join("")
  );
}

function hasOwnTools({ message }: DeepseekV4Turn): boolean {
  return isTruthy(message.get("tools"));
}

/** Before the last user's turn, thinking mode knows these roles only. */
const rolesOfThePast: ReadonlySet<JsonValue> = new Set([
  "user",
  "system",
  "latest_reminder",
  "direct_search_results",
  "assistant",
]);

function withoutOldDevelopers(turns: readonly DeepseekV4Turn[]): DeepseekV4Turn[] {
  const last = lastUserPosition(turns);
  return turns.filter((turn, position) => position >= last || rolesOfThePast.has(turn.role));
}

function lastUserPosition(turns: readonly DeepseekV4Turn[]): number {
  return turns.findLastIndex(isAsking);
}

function isAsking({ role }: DeepseekV4Turn): boolean {
  return role === "user" || role === "developer";
}

class Conversation {
  readonly #turns: readonly DeepseekV4Turn[];
  readonly #thinking: boolean;
  readonly #dropThinking: boolean;
  readonly #lastUser: number;

  constructor(turns: readonly DeepseekV4Turn[], options: DeepseekV4Options) {
    this.#turns = turns;
    this.#thinking = options.thinking;
    this.#dropThinking = options.dropThinking;
    this.#lastUser = lastUserPosition(turns);
  }

  encode(position: number): string {
    const turn = this.#turns[position];
    if (turn === undefined) return "";
    return this.#body(turn, position) + this.#transition(turn, position);
  }

  #body(turn: DeepseekV4Turn, position: number): string {
    const { message, index } = turn;
    if (turn.role === "user") {
      return userMarker + turn.blocks.map((block) => block.text).join("\n\n");
    }
    const content = message.get("content");
    const schemas = toolSchemas(message, index);
    const blocks = [schemas === "" ? "" : toolsBlock(schemas), encodeResponseFormat(message)];
    const appendix = blocks.map((block) => (block === "" ? "" : `\n\n${block}`)).join("");
    const calls = toolCallsOf(message, index);
    switch (turn.role) {
      case "system":
        return textOrEmpty(content) + appendix;
      case "developer":
        if (typeof content !== "string" || content === "") {
          throw new RenderError(index, " is a developer message, whose content must be text");
        }
        return userMarker + content + appendix;
      case "latest_reminder":
        return latestReminderMarker + textOf(content);
      case "assistant":
        return (
          this.#thinkingOf(message, position) +
          textOrEmpty(content) +
          encodeToolCalls(calls, index) +
          (isTruthy(message.get("wo_eos")) ? "" : endOfSentence)
        );
      default:
        throw new RenderError(
          index,
          `.role is ${print(turn.role)}, which the DeepSeek V4 encoder does not know: it takes ` +
            "system, developer, user, assistant, tool and latest_reminder",
        );
    }
  }

  #thinkingOf(message: JsonObject, position: number): string {
    const answersTask = (this.#turns[position - 1]?.task ?? null) !== null;
    if (!this.#thinking || answersTask) return "";
    if (this.#dropThinking && position <= this.#lastUser) return "";
    return textOrEmpty(message.get("reasoning_content")) + thinkingEnd;
  }

  /** What stands between a turn and the answer to it. */
  #transition({ role, task, index }: DeepseekV4Turn, position: number): string {
    const next = this.#turns[position + 1]?.role;
    if (next !== undefined && next !== "assistant" && next !== "latest_reminder") return "";
    const opener = assistantMarker + (this.#thinking ? thinkingStart : thinkingEnd);
    if (task === null) {
      if (role !== "user" && role !== "developer") return "";
      const isPast = this.#dropThinking && position < this.#lastUser;
      return isPast ? assistantMarker + thinkingEnd : opener;
    }
    const marker = typeof task === "string" ? taskMarkers.get(task) : undefined;
    if (marker === undefined) {
      throw new RenderError(
        index,
        `.task is ${print(task)}; the tasks are ${[...taskMarkers.keys()].join(", ")}`,
      );
    }
    return task === "action" ? opener + marker : marker;
  }
}

function encodeToolCalls(calls: readonly ToolCall[], index: number): string {
  if (calls.length === 0) return "";
  const invocations = calls.map((call) =>
    invokeElement(textOf(call.name), encodeArguments(call, index)),
  );
  return `\n\n${toolCallsElement(invocations.join("\n"))}`;
}

function encodeArguments({ where, arguments: given }: ToolCall, index: number): string {
  const value = typeof given === "string" ? parsedOrNamed(given) : given;
  if (value instanceof Map) return encodeParameters(value);
  if (typeof given !== "string") return encodeParameters(new Map([["arguments", given]]));
  throw new RenderError(index, `${where}.arguments must be a JSON object`);
}

/** The value of JSON text; other text as the one argument "arguments". */
function parsedOrNamed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return new Map([["arguments", text]]);
  }
}
