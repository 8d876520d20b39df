/**
 * System messages where the family has a place for them.
 *
 * Anthropic's and OpenAI's newer clients give instructions at any place of a conversation; many
 * chat templates take one system message, at the beginning. Their agents cannot be changed, and
 * neither can the templates.
 *
 * Contract   where the family takes system messages anywhere, nothing changes. Elsewhere those at
 *            the beginning become one, joined by blank lines, and later ones speak as the user. The
 *            same for every request, so that what was placed once is recognised.
 * Not here   chat: its clients get what the original gives them.
 */
import { SessionError } from "../errors.ts";
import type { JsonObject } from "../json/values.ts";
import type { TitoTokenizer } from "../tito/tito-tokenizer.ts";

/** Asks the template itself, once a server. */
export async function takesSystemAnywhere(tito: TitoTokenizer): Promise<boolean> {
  if (!tito.allowedAppendRoles.has("system")) return false;
  const question = message("user", "question");
  const system = message("system", "instruction");
  const short = await promptLength(tito, [system, question]);
  const long = await promptLength(tito, [system, system, question, system]);
  return short !== null && long !== null && long > short;
}

export function placeSystemMessages(messages: readonly JsonObject[]): JsonObject[] {
  const first = messages.findIndex((one) => one.get("role") !== "system");
  const leading = first < 0 ? messages : messages.slice(0, first);
  const rest = messages.slice(leading.length).map(asUser);
  const [only] = leading;
  if (only === undefined) return rest;
  if (leading.length === 1) return [only, ...rest];
  const instructions = leading.map((one) => one.get("content") ?? "").filter((one) => one !== "");
  return [message("system", instructions.join("\n\n")), ...rest];
}

function asUser(one: JsonObject): JsonObject {
  return one.get("role") === "system" ? new Map(one).set("role", "user") : one;
}

/** Null when the template refuses. */
async function promptLength(tito: TitoTokenizer, messages: JsonObject[]): Promise<number | null> {
  try {
    return (await tito.renderPrompt(messages, null, { addGenerationPrompt: true })).length;
  } catch (error) {
    if (error instanceof SessionError) return null;
    throw error;
  }
}

function message(role: string, content: string): JsonObject {
  return new Map([
    ["role", role],
    ["content", content],
  ]);
}
