/**
 * Whether a chat template has a place for the role "developer".
 *
 * OpenAI's clients send instructions under this role to newer models. Few templates know it; the
 * others leave such a message out without a word, or refuse it.
 *
 * Contract   the template itself is asked, once a server: it knows the role if a message of that
 *            role leaves a trace in the prompt.
 */
import { SessionError } from "../errors.ts";
import type { JsonObject } from "../json/values.ts";
import type { TitoTokenizer } from "../tito/tito-tokenizer.ts";

export async function rendersDeveloperRole(tito: TitoTokenizer): Promise<boolean> {
  const question = message("user", "question");
  const without = await promptOf(tito, [question]);
  const instructed = await promptOf(tito, [message("developer", "instruction"), question]);
  return without !== null && instructed !== null && instructed.length > without.length;
}

/** Null when the template refuses. */
async function promptOf(tito: TitoTokenizer, messages: JsonObject[]): Promise<number[] | null> {
  try {
    return await tito.renderPrompt(messages, null, { addGenerationPrompt: true });
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
