// spec: docs/clients.md, "OpenAI Responses"; OpenAI API reference, "Create a model response": input
/**
 * The input of a Responses request as chat messages.
 *
 * Contract   instructions become the first system message. With `previous_response_id`, or with
 *            references to items, the messages that the session holds stand for them.
 * Reports    InvalidRequestError for items that are no text, and for names of no stored turn.
 */
import { InvalidRequestError } from "../../errors.ts";
import { writeJson } from "../../json/lossless.ts";
import type { JsonObject, JsonValue } from "../../json/values.ts";
import { callsOf } from "../generated-message.ts";
import { object, refusedType, requireObject, requireText, textOf, wrong } from "../members.ts";
import type { EarlierTurns } from "../turn-protocol.ts";
import { AssistantDraft } from "./assistant-draft.ts";
import { readItemId, readResponseId } from "./item-ids.ts";

const textTypes = ["input_text", "output_text", "text"];
const roles = ["user", "assistant", "system", "developer"];
const itemTypes = [
  "message",
  "reasoning",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "item_reference",
];

export function readInput(request: JsonObject, earlier: EarlierTurns): JsonObject[] {
  const previousId = request.get("previous_response_id") ?? null;
  const instructions = readInstructions(request.get("instructions") ?? null);
  const history =
    previousId === null
      ? instructions
      : continuedHistory(requireText(previousId, "previous_response_id"), instructions, earlier);
  const input = request.get("input") ?? null;
  if (typeof input === "string") return [...history, object({ role: "user", content: input })];
  if (!Array.isArray(input)) throw wrong("input", "a string or a list of items", input);
  const draft = new AssistantDraft();
  for (const [index, item] of input.entries()) {
    const where = `input[${index}]`;
    addItem(draft, requireObject(item, where), where, earlier);
  }
  return [...history, ...draft.messages()];
}

function readInstructions(value: JsonValue): JsonObject[] {
  if (value === null) return [];
  const content = requireText(value, "instructions");
  return content === "" ? [] : [object({ role: "system", content })];
}

/** A session only appends: the instructions that it began with stay. */
function continuedHistory(
  previousId: string,
  instructions: readonly JsonObject[],
  earlier: EarlierTurns,
): readonly JsonObject[] {
  const turnId = readResponseId(previousId);
  const messages = turnId === null ? null : earlier.messagesThrough(turnId);
  if (messages === null) {
    throw new InvalidRequestError(
      `previous_response_id ${JSON.stringify(previousId)} names no response of this session`,
    );
  }
  const [given] = instructions;
  const [first] = messages;
  const stored = first?.get("role") === "system" ? first.get("content") : undefined;
  if (given === undefined || given.get("content") === stored) return messages;
  throw new InvalidRequestError(
    "instructions differ from those that the session began with: a session only appends",
  );
}

function addItem(
  draft: AssistantDraft,
  item: JsonObject,
  where: string,
  earlier: EarlierTurns,
): void {
  const type = item.get("type") ?? "message";
  switch (type) {
    case "message":
      addMessage(draft, item, where);
      break;
    case "reasoning":
      draft.addReasoning(reasoningText(item, where));
      break;
    case "function_call":
    case "custom_tool_call":
      draft.addCall(readCall(item, type, where), turnOf(item));
      break;
    case "function_call_output":
    case "custom_tool_call_output":
      draft.addResult(readOutput(item, where));
      break;
    case "item_reference":
      addReferenced(draft, requireText(item.get("id"), `${where}.id`), where, earlier);
      break;
    default:
      throw refusedType(where, type, itemTypes);
  }
}

function addMessage(draft: AssistantDraft, item: JsonObject, where: string): void {
  const role = requireText(item.get("role"), `${where}.role`);
  if (!roles.includes(role)) {
    throw new InvalidRequestError(`${where}.role must be one of ${roles.join(", ")}`);
  }
  const content = textOf(item.get("content") ?? null, `${where}.content`, textTypes);
  if (role === "assistant") draft.addContent(content);
  else draft.addMessage(object({ role, content }));
}

/** The reasoning itself where the client has it; its summary is the same text here. */
function reasoningText(item: JsonObject, where: string): string {
  const content = item.get("content") ?? [];
  const whole = textOf(content, `${where}.content`, ["reasoning_text", "text"]);
  if (whole !== "") return whole;
  return textOf(item.get("summary") ?? [], `${where}.summary`, ["summary_text"]);
}

function readCall(item: JsonObject, type: string, where: string): JsonObject {
  const argumentsText =
    type === "custom_tool_call"
      ? writeJson(object({ input: requireText(item.get("input"), `${where}.input`) }))
      : requireText(item.get("arguments"), `${where}.arguments`);
  return object({
    id: requireText(item.get("call_id"), `${where}.call_id`),
    type: "function",
    function: object({
      name: requireText(item.get("name"), `${where}.name`),
      arguments: argumentsText,
    }),
  });
}

function turnOf(item: JsonObject): string | null {
  const id = item.get("id");
  return typeof id === "string" ? (readItemId(id)?.turnId ?? null) : null;
}

function readOutput(item: JsonObject, where: string): JsonObject {
  return object({
    role: "tool",
    tool_call_id: requireText(item.get("call_id"), `${where}.call_id`),
    content: textOf(item.get("output") ?? "", `${where}.output`, textTypes),
  });
}

/** An item that the client leaves to the server to remember. */
function addReferenced(
  draft: AssistantDraft,
  id: string,
  where: string,
  earlier: EarlierTurns,
): void {
  const reference = readItemId(id);
  const reply = reference === null ? undefined : earlier.messagesThrough(reference.turnId)?.at(-1);
  const call = reply === undefined ? undefined : callsOf(reply)[reference?.index ?? 0];
  if (reference?.kind === "reasoning" && reply !== undefined) {
    draft.addReasoning(textMember(reply, "reasoning_content"));
  } else if (reference?.kind === "message" && reply !== undefined) {
    draft.addContent(textMember(reply, "content"));
  } else if (reference?.kind === "call" && call !== undefined) {
    draft.addCall(call, reference.turnId);
  } else {
    throw new InvalidRequestError(`${where} refers to ${id}, which is no item of this session`);
  }
}

function textMember(message: JsonObject, name: string): string {
  const value = message.get(name);
  return typeof value === "string" ? value : "";
}
