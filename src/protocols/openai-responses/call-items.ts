// spec: OpenAI API reference, "The response object": output; Codex, ResponseItem
/**
 * The calls of a reply as items of a response, and back.
 *
 * Contract   a call goes out as the item of the tool that the request offers under its name, with
 *            the tool's own name and namespace; as a function's call where its arguments are not
 *            those of the tool. What comes back is the call of that function again.
 */
import { parseJson } from "../../json/lossless.ts";
import type { JsonObject, JsonValue } from "../../json/values.ts";
import { wellFormedJson } from "../../json/well-formed-json.ts";
import type { GeneratedCall } from "../generated-message.ts";
import { object, requireText } from "../members.ts";
import { standInCall } from "../stand-in-calls.ts";
import type { EarlierTurns } from "../turn-protocol.ts";
import { clientTools } from "./client-tools.ts";
import { callItemId } from "./item-ids.ts";
import { functionName } from "./tool-names.ts";
import type { OfferedTool } from "./tools.ts";

export const callTypes: readonly string[] = [
  "function_call",
  "custom_tool_call",
  ...clientTools.map(({ callType }) => callType),
];

/** @param index of the call in its reply */
export function callItem(
  call: GeneratedCall,
  turnId: string,
  index: number,
  offered: OfferedTool | undefined,
): JsonObject {
  const { prefix, type, members } = formOf(call, offered);
  return object({
    id: callItemId(prefix, turnId, index),
    type,
    status: "completed",
    call_id: call.id,
    ...members,
  });
}

interface CallForm {
  readonly prefix: string;
  readonly type: string;
  readonly members: Readonly<Record<string, JsonValue | undefined>>;
}

function formOf(call: GeneratedCall, offered: OfferedTool | undefined): CallForm {
  const parsed = parseJson(call.argumentsText);
  const args: JsonObject = parsed instanceof Map ? parsed : new Map();
  const { name, namespace } = offered ?? { name: call.name, namespace: null };
  const names = { name, namespace: namespace ?? undefined };
  if (offered?.clientTool) {
    const { callType, idPrefix, write } = offered.clientTool;
    const members = write(args);
    if (members !== null) return { prefix: idPrefix, type: callType, members };
  }
  const input = offered?.isCustom && args.size === 1 ? args.get("input") : null;
  if (typeof input === "string") {
    return { prefix: "ctc", type: "custom_tool_call", members: { ...names, input } };
  }
  const members = { ...names, arguments: call.argumentsText };
  return { prefix: "fc", type: "function_call", members };
}

/** @param item of one of `callTypes` */
export function readCallItem(item: JsonObject, where: string, earlier: EarlierTurns): JsonObject {
  const id = requireText(item.get("call_id"), `${where}.call_id`);
  const { name, argumentsText } = readForm(item, where);
  const stored = standInCall(id, name, earlier);
  if (stored !== null) return stored;
  return object({ id, type: "function", function: object({ name, arguments: argumentsText }) });
}

function readForm(item: JsonObject, where: string): { name: string; argumentsText: string } {
  const clientTool = clientTools.find(({ callType }) => callType === item.get("type"));
  if (clientTool !== undefined) {
    const args = clientTool.read(item, where);
    return { name: clientTool.name, argumentsText: wellFormedJson(args) };
  }
  const given = item.get("namespace") ?? null;
  const namespace = given === null ? null : requireText(given, `${where}.namespace`);
  const name = functionName({ name: requireText(item.get("name"), `${where}.name`), namespace });
  if (item.get("type") === "function_call") {
    return { name, argumentsText: requireText(item.get("arguments"), `${where}.arguments`) };
  }
  const input = requireText(item.get("input"), `${where}.input`);
  return { name, argumentsText: wellFormedJson(object({ input })) };
}
