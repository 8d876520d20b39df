// spec: docs/clients.md, "Anthropic Messages"; Anthropic API reference, "Create a Message"
/**
 * Anthropic's messages as chat messages.
 *
 * Contract   tool results become messages of the role "tool" in the order in which they stand, the
 *            texts around them messages of the user. A reply of this server that comes back becomes
 *            the message that it was made of. cache_control and citations are left out.
 * Reports    InvalidRequestError for blocks that are no text: sessions are made of it.
 */
import { InvalidRequestError } from "../../errors.ts";
import { writeJson } from "../../json/lossless.ts";
import type { JsonObject, JsonValue } from "../../json/values.ts";
import {
  object,
  refusedType,
  requireList,
  requireObject,
  requireText,
  textOf,
} from "../members.ts";

const textTypes = ["text"];
const userTypes = ["text", "tool_result"];
const assistantTypes = ["text", "thinking", "tool_use"];

export function readConversation(system: JsonValue, messages: JsonValue | undefined): JsonObject[] {
  const conversation: JsonObject[] = [];
  const instructions = system === null ? "" : textOf(system, "system", textTypes);
  if (instructions !== "") conversation.push(object({ role: "system", content: instructions }));
  for (const [index, item] of requireList(messages, "messages").entries()) {
    const where = `messages[${index}]`;
    const message = requireObject(item, where);
    conversation.push(...readMessage(message, where));
  }
  return conversation;
}

function readMessage(message: JsonObject, where: string): JsonObject[] {
  const role = requireText(message.get("role"), `${where}.role`);
  const content = message.get("content") ?? null;
  switch (role) {
    case "user":
      return readUserContent(content, `${where}.content`);
    case "assistant":
      return [readAssistantContent(content, `${where}.content`)];
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

function readAssistantContent(content: JsonValue, where: string): JsonObject {
  if (typeof content === "string") return object({ role: "assistant", content });
  let text = "";
  let reasoning = "";
  const calls: JsonObject[] = [];
  for (const [block, place] of blocksOf(content, where)) {
    const type = block.get("type");
    if (type === "text") text += requireText(block.get("text"), `${place}.text`);
    else if (type === "thinking") reasoning += requireText(block.get("thinking"), place);
    else if (type === "tool_use") calls.push(readToolUse(block, place));
    else throw refusedType(place, type, assistantTypes);
  }
  return object({
    role: "assistant",
    content: text,
    reasoning_content: reasoning === "" ? undefined : reasoning,
    tool_calls: calls.length === 0 ? undefined : calls,
  });
}

function readToolUse(block: JsonObject, where: string): JsonObject {
  return object({
    id: requireText(block.get("id"), `${where}.id`),
    type: "function",
    function: object({
      name: requireText(block.get("name"), `${where}.name`),
      arguments: writeJson(requireObject(block.get("input") ?? new Map(), `${where}.input`)),
    }),
  });
}

function blocksOf(content: JsonValue, where: string): [block: JsonObject, place: string][] {
  return requireList(content, where).map((block, index) => {
    const place = `${where}[${index}]`;
    return [requireObject(block, place), place];
  });
}
