/**
 * Calls that come back under an id that this server made up, because the backend gave none.
 *
 * Contract   such a call is the stored one of that turn and place, whatever its client made of the
 *            arguments: it is what the session holds, without an id.
 */
import { callsOf } from "../json/chat-message.ts";
import type { JsonObject } from "../json/values.ts";
import type { EarlierTurns } from "./turn-protocol.ts";

/** Null for an id or a name that no call of a stored reply has. */
export function standInCall(id: string, name: string, earlier: EarlierTurns): JsonObject | null {
  const [, turnId, index] = /^call_([0-9a-f]{32})_(\d+)$/.exec(id) ?? [];
  if (turnId === undefined) return null;
  const call = callsOf(earlier.messagesThrough(turnId)?.at(-1) ?? new Map())[Number(index)];
  const called = call?.get("function");
  return called instanceof Map && called.get("name") === name ? (call ?? null) : null;
}
