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

/** @param systemAnywhere as `takesSystemAnywhere` found it */
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
  return [message("system", texts.join("\n\n")), ...others];
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
