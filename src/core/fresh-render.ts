/**
 * The ids of a session's conversation as its template writes it today, for the report of what
 * differs from the sampled ones.
 *
 * Contract   a call whose arguments no template can take has {} instead: what the model wrote there
 *            differs from any render, and the rest of the conversation can still be compared.
 * Reports    InvalidRequestError for a conversation that cannot be rendered for another reason.
 */
import { InvalidRequestError } from "../errors.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";
import { withRenderableCalls } from "../tito/append-base.ts";
import type { TitoTokenizer } from "../tito/tito-tokenizer.ts";

/** @param tools of the latest turn; null when there are none */
export async function freshRender(
  tito: TitoTokenizer,
  messages: readonly JsonObject[],
  tools: JsonValue,
): Promise<number[]> {
  const options = { addGenerationPrompt: false, inSteps: true };
  try {
    return await tito.renderPrompt(messages, tools, options);
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    return tito.renderPrompt(messages.map(withRenderableCalls), tools, options);
  }
}
