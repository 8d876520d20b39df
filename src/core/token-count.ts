/**
 * Tokens of the prompt that a request would have, without asking for it.
 *
 * Contract   exact: the count of a turn's prompt as it would be sent, stored ids included. What
 *            does not continue the session, such as a question about another conversation, is
 *            counted as the first turn of a new one. Changes nothing.
 */
import { InvalidRequestError } from "../errors.ts";
import { readCountRequest } from "../protocols/anthropic-messages/request.ts";
import type { Session } from "../trajectory/session.ts";
import {
  continuedPrompt,
  type PreparationRules,
  readRequest,
  requestTokenizer,
} from "./turn-preparation.ts";

/** @param body as Anthropic's count_tokens has it */
export function countPromptTokens(
  session: Session,
  body: Uint8Array,
  rules: PreparationRules,
): Promise<number> {
  return session.lock.run(async () => {
    session.requireOpen();
    const known = session.trajectory.knownMessages();
    const chatBody = readCountRequest(body, session);
    const request = readRequest(chatBody, known, { isTranslation: true }, rules.messageRules);
    const tito = requestTokenizer(session, request.templateKwargs, rules.tito);
    try {
      const prompt = await continuedPrompt(session, { isTranslation: true }, request, tito, rules);
      return prompt.promptTokens;
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      const options = { addGenerationPrompt: true };
      return (await tito.renderPrompt(request.messages, request.tools, options)).length;
    }
  });
}
