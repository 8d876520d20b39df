// spec: docs/clients.md, "OpenAI Responses"; OpenAI API reference, "Create a model response": input
/**
 * The input of a Responses request as chat messages.
 *
 * Contract   instructions become the first system message. With `previous_response_id`, or with
 *            references to items, the messages that the session holds stand for them. A refusal is
 *            text of the assistant's. Items of tools that OpenAI's servers ran are left out: what
 *            they found is theirs, and what the model made of it stands in its reply.
 * Reports    InvalidRequestError for items that are no text, for compacted ones, which only OpenAI
 *            can read, and for names of no stored turn.
 */
import { InvalidRequestError } from "../../errors.ts";
import { callsOf, textMember } from "../../json/chat-message.ts";
import type { JsonObject, JsonValue } from "../../json/values.ts";
import { object, refusedType, requireObject, requireText, textOf, wrong } from "../members.ts";
import type { EarlierTurns } from "../turn-protocol.ts";
import { AssistantDraft } from "./assistant-draft.ts";
import { callTypes, readCallItem } from "./call-items.ts";
import { readItemId, readResponseId } from "./item-ids.ts";
import { outputTypes, readOutputItem, textTypes, toolsFound } from "./output-items.ts";

const roles = ["user", "assistant", "system", "developer"];
const itemTypes = ["message", "reasoning", ...callTypes, ...outputTypes, "item_reference"];

const hostedItemTypes: readonly JsonValue[] = [
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "image_generation_call",
  "mcp_list_tools",
  "mcp_call",
  "mcp_approval_request",
  "mcp_approval_response",
];

const compactionTypes: readonly JsonValue[] = [
  "compaction",
  "compaction_summary",
  "compaction_trigger",
  "context_compaction",
];

export interface ReadInput {
  readonly messages: JsonObject[];
  /** Tools that the client found by search. */
  readonly found: readonly JsonObject[];
}

export function readInput(request: JsonObject, earlier: EarlierTurns): ReadInput {
  const previousId = request.get("previous_response_id") ?? null;
  const instructions = readInstructions(request.get("instructions") ?? null);
  const history =
    previousId === null
      ? instructions
      : continuedHistory(requireText(previousId, "previous_response_id"), instructions, earlier);
  const input = request.get("input") ?? null;
  if (typeof input === "string") {
    return { messages: [...history, object({ role: "user", content: input })], found: [] };
  }
  if (!Array.isArray(input)) throw wrong("input", "a string or a list of items", input);
  const items = new InputItems(earlier);
  for (const [index, item] of input.entries()) {
    const where = `input[${index}]`;
    items.add(requireObject(item, where), where);
  }
  return { messages: [...history, ...items.messages()], found: items.found };
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

class InputItems {
  readonly found: JsonObject[] = [];
  readonly #earlier: EarlierTurns;
  readonly #draft = new AssistantDraft();
  /** Ids of calls by those of their items. */
  readonly #callIds = new Map<string, string>();

  constructor(earlier: EarlierTurns) {
    this.#earlier = earlier;
  }

  messages(): JsonObject[] {
    return this.#draft.messages();
  }

  add(item: JsonObject, where: string): void {
    const type = item.get("type") ?? "message";
    if (hostedItemTypes.includes(type)) return;
    if (type === "message") addMessage(this.#draft, item, where);
    else if (type === "reasoning") this.#draft.addReasoning(reasoningText(item, where));
    else if (type === "item_reference") {
      this.#addReferenced(requireText(item.get("id"), `${where}.id`), where);
    } else if (typeof type === "string" && callTypes.includes(type)) {
      this.#addCall(readCallItem(item, where, this.#earlier), item.get("id") ?? null);
    } else if (typeof type === "string" && outputTypes.includes(type)) {
      this.#draft.addResult(readOutputItem(item, where, this.#callIds));
      if (type === "tool_search_output") {
        this.found.push(...toolsFound(item, where).map(([tool]) => tool));
      }
    } else throw refusedItem(type, where);
  }

  /** @param itemId says of which turn the call is, where this server made it */
  #addCall(call: JsonObject, itemId: JsonValue): void {
    const callId = call.get("id") ?? null;
    if (typeof itemId !== "string") this.#draft.addCall(call, null);
    else {
      if (typeof callId === "string") this.#callIds.set(itemId, callId);
      this.#draft.addCall(call, readItemId(itemId)?.turnId ?? null);
    }
  }

  /** An item that the client leaves to the server to remember. */
  #addReferenced(id: string, where: string): void {
    const reference = readItemId(id);
    const reply =
      reference === null ? undefined : this.#earlier.messagesThrough(reference.turnId)?.at(-1);
    const call = reply === undefined ? undefined : callsOf(reply)[reference?.index ?? 0];
    if (reference?.kind === "reasoning" && reply !== undefined) {
      this.#draft.addReasoning(textMember(reply, "reasoning_content"));
    } else if (reference?.kind === "message" && reply !== undefined) {
      this.#draft.addContent(textMember(reply, "content"));
    } else if (reference?.kind === "call" && call !== undefined) {
      this.#addCall(call, id);
    } else {
      throw new InvalidRequestError(`${where} refers to ${id}, which is no item of this session`);
    }
  }
}

function refusedItem(type: JsonValue, where: string): InvalidRequestError {
  if (!compactionTypes.includes(type)) return refusedType(where, type, itemTypes);
  return new InvalidRequestError(
    `${where} is a compacted conversation, which only OpenAI can read: a session holds the whole ` +
      "conversation, so turn compaction off in the client",
  );
}

function addMessage(draft: AssistantDraft, item: JsonObject, where: string): void {
  const role = requireText(item.get("role"), `${where}.role`);
  if (!roles.includes(role)) {
    throw new InvalidRequestError(`${where}.role must be one of ${roles.join(", ")}`);
  }
  const given = item.get("content") ?? null;
  const parts = role === "assistant" && Array.isArray(given) ? given.map(withoutRefusal) : given;
  const content = textOf(parts, `${where}.content`, textTypes);
  if (role === "assistant") draft.addContent(content);
  else draft.addMessage(object({ role, content }));
}

/** A refusal is what the assistant said. */
function withoutRefusal(part: JsonValue): JsonValue {
  if (!(part instanceof Map) || part.get("type") !== "refusal") return part;
  return object({ type: "output_text", text: part.get("refusal") ?? undefined });
}

/** The reasoning itself where the client has it; its summary is the same text here. */
function reasoningText(item: JsonObject, where: string): string {
  const content = item.get("content") ?? [];
  const whole = textOf(content, `${where}.content`, ["reasoning_text", "text"]);
  if (whole !== "") return whole;
  return textOf(item.get("summary") ?? [], `${where}.summary`, ["summary_text"]);
}
