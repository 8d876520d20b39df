/**
 * System messages where the family has a place for them.
 *
 * Anthropic's and OpenAI's newer clients give instructions at any place of a conversation; many
 * chat templates take one system message, at the beginning. Their agents cannot be changed, and
 * neither can the templates.
 *
 * Contract   where the family takes system messages anywhere, they stay. Elsewhere those at the
 *            beginning become one, joined by blank lines, and later ones speak as the user. No
 *            family can append the role "developer": after the beginning it is "system". The same
 *            for every request, so that what was placed once is recognised.
 * Not here   chat: its clients get what the original gives them.
 */
import type { JsonObject } from "../json/values.ts";

/** @param systemAnywhere as message-rules.ts has it */
export function placeSystemMessages(
  messages: readonly JsonObject[],
  systemAnywhere: boolean,
): JsonObject[] {
  const first = messages.findIndex((one) => !isInstruction(one));
  const leading = first < 0 ? messages : messages.slice(0, first);
  const later = systemAnywhere ? "system" : "user";
  const rest = messages
    .slice(leading.length)
    .map((one) => (isInstruction(one) ? new Map(one).set("role", later) : one));
  return [...(systemAnywhere ? leading : joined(leading)), ...rest];
}

function isInstruction(one: JsonObject): boolean {
  const role = one.get("role");
  return role === "system" || role === "developer";
}

/** One system message; those of a role of their own follow it. */
function joined(leading: readonly JsonObject[]): JsonObject[] {
  const systems = leading.filter((one) => one.get("role") === "system");
  if (systems.length < 2) return [...leading];
  const texts = systems.map((one) => one.get("content") ?? "").filter((text) => text !== "");
  const others = leading.filter((one) => one.get("role") !== "system");
  const one: JsonObject = new Map([
    ["role", "system"],
    ["content", texts.join("\n\n")],
  ]);
  return [one, ...others];
}
