/**
 * Roles of a first prompt that only some chat templates know: "function", "observation", "ipython".
 *
 * A template that does not know a role mostly leaves its messages out without a word, and the agent
 * would never find out why the model knows nothing of them.
 *
 * Contract   a role that every family has is taken as it is. Another is rendered once more: one
 *            that leaves no trace twice leaves none at all. What the template refuses then, it
 *            knows.
 * Reports    InvalidRequestError that names message and role.
 * Limits     unknownRolesMax: each costs a whole render while the session is locked.
 */
import { InvalidRequestError, SessionError } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";
import { unknownRolesMax } from "../limits.ts";
import type { TitoTokenizer } from "../tito/tito-tokenizer.ts";

const knownRoles: ReadonlySet<JsonValue> = new Set([
  "system",
  "user",
  "assistant",
  "tool",
  "developer",
]);

interface Conversation {
  readonly messages: readonly JsonObject[];
  readonly tools: JsonValue;
}

/** @param prompt ids of the rendered conversation */
export async function requireRenderedRoles(
  { messages, tools }: Conversation,
  prompt: readonly number[],
  tito: TitoTokenizer,
): Promise<void> {
  for (const [role, index] of unknownRoles(messages)) {
    const twice = messages.toSpliced(index, 0, ...messages.slice(index, index + 1));
    if (await isRenderedDifferently(twice, tools, prompt, tito)) continue;
    throw new InvalidRequestError(
      `messages[${index}] has the role ${JSON.stringify(role)}, which the chat template leaves ` +
        "out: send it under a role that the model knows",
    );
  }
}

/** Each role that not every family has, with the index of the first message that has it. */
function unknownRoles(messages: readonly JsonObject[]): ReadonlyMap<JsonValue, number> {
  const found = new Map<JsonValue, number>();
  for (const [index, message] of messages.entries()) {
    const role = message.get("role") ?? null;
    if (!knownRoles.has(role) && !found.has(role)) found.set(role, index);
  }
  if (found.size <= unknownRolesMax) return found;
  throw new InvalidRequestError(
    `messages have ${found.size} roles besides system, user, assistant, tool and developer: ` +
      `at most ${unknownRolesMax} are accepted`,
  );
}

async function isRenderedDifferently(
  messages: readonly JsonObject[],
  tools: JsonValue,
  prompt: readonly number[],
  tito: TitoTokenizer,
): Promise<boolean> {
  try {
    const ids = await tito.renderPrompt(messages, tools, { addGenerationPrompt: true });
    return ids.length !== prompt.length || ids.some((id, place) => id !== prompt[place]);
  } catch (error) {
    if (error instanceof SessionError) return true;
    throw error;
  }
}
