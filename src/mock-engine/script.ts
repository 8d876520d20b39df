/**
 * What the mock engine answers, before it is tokens: a reply is chosen from the conversation alone,
 * so an engine needs no memory and any number of engines answer alike.
 *
 * Not here   token ids (completion.ts), the JSON of a reply (chat-reply.ts).
 */
import type { Fault } from "./fault.ts";

export interface ScriptedToolCall {
  readonly name: string;
  /** JSON text of an object, as the model would write it; it is sent as it stands. */
  readonly arguments: string;
  /** The default is derived from the request. */
  readonly id?: string;
}

export interface ScriptedReply {
  /** Visible text; the default is the empty string. */
  readonly content?: string;
  /** Text between the think marks; absent means the model did not think. */
  readonly reasoning?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** The default follows from the reply: tool_calls, length or stop. */
  readonly finishReason?: string;
  readonly fault?: Fault;
}

/** A message as it came in; only `role` was checked. */
export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly [member: string]: unknown;
}

export interface ChatTurn {
  readonly messages: readonly ChatMessage[];
  /** Assistant messages in the conversation so far. */
  readonly turnIndex: number;
  /** The request header x-smg-routing-key, which carries the session id; empty when absent. */
  readonly routingKey: string;
}

/** Chooses the reply to a turn; a promise holds the reply back until it is settled. */
export type ReplySource = (turn: ChatTurn) => ScriptedReply | Promise<ScriptedReply>;

/** Code points of a message that an echo repeats. */
const echoCharactersMax = 400;

/** Repeats the last message: the reply to a conversation is always the same. */
export function echoReply(turn: ChatTurn): ScriptedReply {
  const last = turn.messages.at(-1);
  const text = [...messageText(last?.content)].slice(0, echoCharactersMax).join("");
  return { content: `Reply ${turn.turnIndex + 1} to: ${text.toWellFormed()}` };
}

/** Answers turn k with `script[k]` and every turn beyond the end with the last one. */
export function scriptedReplies(script: readonly ScriptedReply[]): ReplySource {
  const last = script.at(-1);
  if (last === undefined) throw new Error("a script needs at least one reply");
  return (turn) => script[turn.turnIndex] ?? last;
}

/** The text of a message's content, which is a string, a list of parts or null. */
function messageText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (typeof part?.text === "string" ? part.text : "")).join("");
}
