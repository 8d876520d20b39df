// spec: sglang's encoding_dsv4.py, merge_tool_messages and sort_tool_results_by_call_order
/**
 * Messages to the turns of DeepSeek V4's format, which has no tool role: tool results and the user
 * messages around them are one turn of the user, and results stand in the order of the calls.
 *
 * Reports    RenderError with the index of the message that a text cannot be made of.
 */
import { print } from "../../chat-template/printing.ts";
import { isTruthy } from "../../json/python-truth.ts";
import type { JsonObject, JsonValue } from "../../json/values.ts";
import { RenderError } from "../render-error.ts";
import { toolResultElement } from "./v4-text.ts";

export interface DeepseekV4Turn {
  readonly role: JsonValue;
  /** Of an assistant, system, ... turn, the message itself; of a user's, the first one. */
  readonly message: JsonObject;
  /** Index of `message` in the conversation. */
  readonly index: number;
  /** Name of a classification task; null when there is none. */
  readonly task: JsonValue;
  /** What the user says, tool results included; empty for other roles. */
  readonly blocks: readonly Block[];
}

interface Block {
  readonly text: string;
  /** Id of the call that a tool result answers; undefined for what the user wrote. */
  readonly callId: JsonValue | undefined;
}

interface UserTurn extends DeepseekV4Turn {
  readonly blocks: Block[];
}

export function turnsOf(messages: readonly JsonObject[]): DeepseekV4Turn[] {
  return inCallOrder(merged(messages));
}

function merged(messages: readonly JsonObject[]): DeepseekV4Turn[] {
  const turns: DeepseekV4Turn[] = [];
  let open: UserTurn | null = null;
  for (const [index, message] of messages.entries()) {
    const role = message.get("role") ?? null;
    if (role !== "tool" && role !== "user") {
      turns.push({ role, message, index, task: message.get("task") ?? null, blocks: [] });
      open = null;
      continue;
    }
    const block = role === "tool" ? resultBlock(message, index) : textBlock(message, index);
    // Only tool results may follow a task in its own turn.
    if (open !== null && (role === "tool" || open.task === null)) {
      open.blocks.push(block);
      continue;
    }
    const task: JsonValue = role === "user" ? (message.get("task") ?? null) : null;
    open = { role: "user", message, index, task, blocks: [block] };
    turns.push(open);
  }
  return turns;
}

function textBlock(message: JsonObject, index: number): Block {
  const text = message.has("content") ? message.get("content") : "";
  if (typeof text === "string") return { text, callId: undefined };
  throw new RenderError(index, ".content must be a string: the DeepSeek V4 encoder takes no other");
}

function resultBlock(message: JsonObject, index: number): Block {
  const content = message.has("content") ? (message.get("content") ?? null) : "";
  const text = Array.isArray(content) ? joinedParts(content, index) : print(content);
  return { text: toolResultElement(text), callId: message.get("tool_call_id") ?? null };
}

function joinedParts(parts: readonly JsonValue[], index: number): string {
  const texts = parts.map((part, position) => {
    const where = `.content[${position}]`;
    if (!(part instanceof Map)) throw new RenderError(index, `${where} must be an object`);
    if (part.get("type") !== "text") return `[Unsupported ${print(part.get("type") ?? null)}]`;
    const text = part.has("text") ? part.get("text") : "";
    if (typeof text === "string") return text;
    throw new RenderError(index, `${where}.text must be a string`);
  });
  return texts.join("\n\n");
}

/** Puts the results of each turn in the order of the latest calls before it. */
function inCallOrder(turns: readonly DeepseekV4Turn[]): DeepseekV4Turn[] {
  let order: ReadonlyMap<JsonValue, number> = new Map();
  return turns.map((turn) => {
    if (turn.role === "assistant") order = callOrder(turn) ?? order;
    if (turn.blocks.length < 2 || order.size === 0) return turn;
    const rank = (block: Block): number => order.get(block.callId ?? null) ?? 0;
    const results = turn.blocks
      .filter((block) => block.callId !== undefined)
      .sort((left, right) => rank(left) - rank(right));
    const next = results.values();
    const blocks = turn.blocks.map((block) =>
      block.callId === undefined ? block : (next.next().value ?? block),
    );
    return { ...turn, blocks };
  });
}

/** Position of each call by its id; null when the assistant calls nothing. */
function callOrder(turn: DeepseekV4Turn): Map<JsonValue, number> | null {
  const calls = turn.message.get("tool_calls");
  if (!isTruthy(calls)) return null;
  const order = new Map<JsonValue, number>();
  if (!Array.isArray(calls)) return order;
  for (const [position, call] of calls.entries()) {
    if (!(call instanceof Map)) continue;
    const called = call.get("function");
    const ownId = call.get("id");
    const id = isTruthy(ownId) ? ownId : called instanceof Map ? called.get("id") : undefined;
    if (id !== undefined && isTruthy(id)) order.set(id, position);
  }
  return order;
}
