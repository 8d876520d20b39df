/**
 * A scripted reply as a model would have sampled it: the token ids of its text and of the stop
 * token, cut at the request's limit.
 *
 * Contract   the ids are one encoding of the whole emitted text, so they are what a trainer would
 *            see, and re-encoding the message's parts need not give them again.
 */
import { emittedText, parseCutText } from "./emission.ts";
import type { ScriptedReply, ScriptedToolCall } from "./script.ts";

/** What the engine needs of a tokenizer. */
export interface EngineTokenizer {
  encode(text: string): readonly number[] | Promise<readonly number[]>;
  decode(ids: readonly number[]): string | Promise<string>;
  tokenId(text: string): number | undefined;
}

export interface Completion {
  readonly tokens: readonly number[];
  readonly content: string;
  readonly reasoning: string | null;
  readonly toolCalls: readonly ScriptedToolCall[];
  readonly finishReason: string;
  /** The id that ended the completion; null when it was cut. */
  readonly stopToken: number | null;
}

/** @param completionTokensMax counts the stop token; null: no limit */
export async function complete(
  reply: ScriptedReply,
  tokenizer: EngineTokenizer,
  stopToken: number,
  completionTokensMax: number | null,
): Promise<Completion> {
  const text = await tokenizer.encode(emittedText(reply));
  const toolCalls = reply.toolCalls ?? [];
  if (completionTokensMax === null || text.length + 1 <= completionTokensMax) {
    return {
      tokens: [...text, stopToken],
      content: reply.content ?? "",
      reasoning: reply.reasoning ?? null,
      toolCalls,
      finishReason: reply.finishReason ?? (toolCalls.length > 0 ? "tool_calls" : "stop"),
      stopToken,
    };
  }
  const tokens = text.slice(0, completionTokensMax);
  return {
    tokens,
    ...parseCutText(await tokenizer.decode(tokens)),
    toolCalls: [],
    finishReason: reply.finishReason ?? "length",
    stopToken: null,
  };
}
