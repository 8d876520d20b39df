// spec: docs/clients.md, "Anthropic Messages"; Anthropic API reference, "Create a Message"
/**
 * Anthropic's messages as chat messages.
 *
 * Contract   tool results become messages of the role "tool" in the order in which they stand, the
 *            texts around them messages of the user. A reply of this server that comes back becomes
 *            the message that it was made of; messages of the assistant that follow each other are
 *            one, as Anthropic's API has it. cache_control and citations are left out, and so is
 *            the block that Claude Code begins its instructions with to say who pays.
 * Reports    InvalidRequestError for blocks that are no text: sessions are made of it.
 */
import { InvalidRequestError } from "../../errors.ts";
import type { JsonObject, JsonValue } from "../../json/values.ts";
import { wellFormedJson } from "../../json/well-formed-json.ts";
import {
  object,
  refusedType,
  requireList,
  requireObject,
  requireText,
  textOf,
} from "../members.ts";
import { standInCall } from "../stand-in-calls.ts";
import type { EarlierTurns } from "../turn-protocol.ts";

const textTypes = ["text"];
const userTypes = ["text", "tool_result"];
const assistantTypes = ["text", "thinking", "tool_use"];

/** Tells Anthropic's servers of the client's version, and has another hash in each request. */
const attributionPrefix = "x-anthropic-billing-header:";

export function readConversation(
  system: JsonValue,
  messages: JsonValue | undefined,
  earlier: EarlierTurns,
): JsonObject[] {
  const conversation: JsonObject[] = [];
  const instructions =
    system === null ? "" : textOf(withoutAttribution(system), "system", textTypes);
  if (instructions !== "") conversation.push(object({ role: "system", content: instructions }));
  let blocks: PlacedBlock[] | null = null;
  const endReply = () => {
    if (blocks !== null) conversation.push(readReply(blocks, earlier));
    blocks = null;
  };
  for (const [index, item] of requireList(messages, "messages").entries()) {
    const where = `messages[${index}]`;
    const message = requireObject(item, where);
    if (message.get("role") === "assistant") {
      const more = blocksOf(message.get("content") ?? null, `${where}.content`);
      blocks = [...(blocks ?? []), ...more];
    } else {
      endReply();
      conversation.push(...readMessage(message, where));
    }
  }
  endReply();
  return conversation;
}

function withoutAttribution(system: JsonValue): JsonValue {
  if (!Array.isArray(system)) return system;
  const first = system.findIndex((block) => !isAttribution(block));
  return first < 0 ? [] : system.slice(first);
}

function isAttribution(block: JsonValue): boolean {
  const text = block instanceof Map ? block.get("text") : null;
  return typeof text === "string" && text.startsWith(attributionPrefix);
}

/** A message that is not the assistant's. */
function readMessage(message: JsonObject, where: string): JsonObject[] {
  const role = requireText(message.get("role"), `${where}.role`);
  const content = message.get("content") ?? null;
  switch (role) {
    case "user":
      return readUserContent(content, `${where}.content`);
    case "system":
      return [object({ role, content: textOf(content, `${where}.content`, textTypes) })];
    default:
      throw new InvalidRequestError(`${where}.role must be user or assistant, got "${role}"`);
  }
}

function readUserContent(content: JsonValue, where: string): JsonObject[] {
  if (typeof content === "string") return [object({ role: "user", content })];
  const messages: JsonObject[] = [];
  let text: string | null = null;
  const endText = () => {
    if (text !== null) messages.push(object({ role: "user", content: text }));
    text = null;
  };
  for (const [block, place] of blocksOf(content, where)) {
    const type = block.get("type");
    if (type === "text") text = (text ?? "") + requireText(block.get("text"), `${place}.text`);
    else if (type === "tool_result") {
      endText();
      messages.push(readToolResult(block, place));
    } else throw refusedType(place, type, userTypes);
  }
  endText();
  if (messages.length > 0) return messages;
  throw new InvalidRequestError(`${where} is empty: a message of the user says something`);
}

function readToolResult(block: JsonObject, where: string): JsonObject {
  const content = block.get("content") ?? "";
  return object({
    role: "tool",
    tool_call_id: requireText(block.get("tool_use_id"), `${where}.tool_use_id`),
    content: textOf(content, `${where}.content`, textTypes),
  });
}

type PlacedBlock = readonly [block: JsonObject, place: string];

function readReply(blocks: readonly PlacedBlock[], earlier: EarlierTurns): JsonObject {
  let text = "";
  let reasoning = "";
  const calls: JsonObject[] = [];
  for (const [block, place] of blocks) {
    const type = block.get("type");
    if (type === "text") text += requireText(block.get("text"), `${place}.text`);
    else if (type === "thinking") reasoning += requireText(block.get("thinking"), place);
    else if (type === "tool_use") calls.push(readToolUse(block, place, earlier));
    else throw refusedType(place, type, assistantTypes);
  }
  return object({
    role: "assistant",
    content: text,
    reasoning_content: reasoning === "" ? undefined : reasoning,
    tool_calls: calls.length === 0 ? undefined : calls,
  });
}

function readToolUse(block: JsonObject, where: string, earlier: EarlierTurns): JsonObject {
  const id = requireText(block.get("id"), `${where}.id`);
  const name = requireText(block.get("name"), `${where}.name`);
  const input = requireObject(block.get("input") ?? new Map(), `${where}.input`);
  const stored = standInCall(id, name, earlier);
  if (stored !== null) return stored;
  const called = object({ name, arguments: wellFormedJson(input) });
  return object({ id, type: "function", function: called });
}

/** A string is one block of text. */
function blocksOf(content: JsonValue, where: string): PlacedBlock[] {
  if (typeof content === "string") return [[object({ type: "text", text: content }), where]];
  return requireList(content, where).map((block, index) => {
    const place = `${where}[${index}]`;
    return [requireObject(block, place), place];
  });
}
