/**
 * What the chat template of a server takes of the messages that clients send: the template itself
 * is asked, once a server.
 *
 * OpenAI's clients send instructions to newer models under the role "developer", and newer
 * protocols give instructions anywhere in a conversation. Few templates know the role, many take
 * one system message at the beginning; the others leave such messages out without a word, or refuse
 * them.
 *
 * Contract   a template takes what leaves a trace in the prompt.
 * Not here   what becomes of a message that it does not take: chat-messages.ts,
 *            system-placement.ts.
 */
import { SessionError } from "../errors.ts";
import type { JsonObject } from "../json/values.ts";
import type { TitoTokenizer } from "../tito/tito-tokenizer.ts";

export interface MessageRules {
  /** The chat template has no place for the role "developer". */
  readonly developerIsSystem: boolean;
  /** The family takes system messages anywhere in a conversation, and several of them. */
  readonly systemAnywhere: boolean;
}

const question = message("user", "question");
const system = message("system", "instruction");
const developer = message("developer", "instruction");

export async function messageRulesOf(tito: TitoTokenizer): Promise<MessageRules> {
  const leavesTrace = async (fewer: JsonObject[], more: JsonObject[]): Promise<boolean> => {
    const short = await promptLength(tito, fewer);
    const long = await promptLength(tito, more);
    return short !== null && long !== null && long > short;
  };
  return {
    developerIsSystem: !(await leavesTrace([question], [developer, question])),
    systemAnywhere:
      tito.allowedAppendRoles.has("system") &&
      (await leavesTrace([system, question], [system, system, question, system])),
  };
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
