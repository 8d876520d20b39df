/**
 * Members of a chat message, as who made it may have left them: a client, a backend.
 *
 * Contract   what is not of the type that a chat message has there counts as absent.
 */
import type { JsonObject } from "./values.ts";

/** Its tool calls. */
export function callsOf(message: JsonObject): readonly JsonObject[] {
  const calls = message.get("tool_calls");
  if (!Array.isArray(calls)) return [];
  return calls.filter((call): call is JsonObject => call instanceof Map);
}

/** A member that is text; empty when it is none. */
export function textMember(message: JsonObject, name: string): string {
  const value = message.get(name);
  return typeof value === "string" ? value : "";
}
