/**
 * POST /v1/chat/completions of the mock engine: from the request's text to the slices of the reply.
 */
import { chatReplyBody } from "./chat-reply.ts";
import { type ChatRequest, parseChatRequest } from "./chat-request.ts";
import { type Completion, complete } from "./completion.ts";
import type { EngineCheckpoint } from "./engine-checkpoint.ts";
import { checkFault, type Fault } from "./fault.ts";
import type { MockEngineSettings } from "./options.ts";
import type { ReplayPayloadKind, ReplayPayloads } from "./replay-payload.ts";
import type { ChatTurn } from "./script.ts";

export interface ChatAnswer {
  readonly body: readonly Uint8Array[];
  readonly fault: Fault | null;
  readonly completionTokens: number;
}

export class ChatCompletions {
  readonly #settings: MockEngineSettings;
  readonly #checkpoint: EngineCheckpoint;
  readonly #payloads: ReplayPayloads;

  constructor(
    settings: MockEngineSettings,
    checkpoint: EngineCheckpoint,
    payloads: ReplayPayloads,
  ) {
    this.#settings = settings;
    this.#checkpoint = checkpoint;
    this.#payloads = payloads;
  }

  /**
   * @param requestFault the fault that the request asks for
   * @throws EngineError when the request is rejected
   */
  async answer(text: string, routingKey: string, requestFault: Fault | null): Promise<ChatAnswer> {
    const request = parseChatRequest(text);
    const prompt = request.inputIds ?? (await this.#checkpoint.encodePrompt(text));
    const reply = await this.#settings.reply(turnOf(request, routingKey));
    const fault = requestFault ?? reply.fault ?? this.#settings.fault;
    const { tokenizer, stopToken } = this.#checkpoint;
    const completion = await complete(reply, tokenizer, stopToken, request.completionTokensMax);
    const body = chatReplyBody({
      id: idOf(prompt, completion),
      created: this.#settings.created ?? Math.floor(Date.now() / 1000),
      model: request.model ?? this.#settings.modelName,
      weightVersion: this.#settings.weightVersion,
      promptTokens: prompt.length,
      completion,
      request,
      payloads: this.#payloadsOf(request, routingKey, prompt.length + completion.tokens.length),
      fault: fault === null ? null : checkFault(fault),
    });
    return { body, fault, completionTokens: completion.tokens.length };
  }

  /** One row a token but the last: the model routes a token when it computes what follows it. */
  #payloadsOf(
    request: ChatRequest,
    routingKey: string,
    tokens: number,
  ): (readonly [ReplayPayloadKind, readonly Uint8Array[]])[] {
    const { routedExpertsRowBytes, indexerTopkRowBytes } = this.#settings;
    const asked: [ReplayPayloadKind, boolean, number][] = [
      ["routed_experts", request.returnRoutedExperts, routedExpertsRowBytes],
      ["indexer_topk", request.returnIndexerTopk, indexerTopkRowBytes],
    ];
    return asked
      .filter(([, wanted]) => wanted)
      .map(([kind, , rowBytes]) => [
        kind,
        this.#payloads.text(kind, routingKey, (tokens - 1) * rowBytes),
      ]);
  }
}

function turnOf(request: ChatRequest, routingKey: string): ChatTurn {
  const { messages } = request;
  const turnIndex = messages.filter((message) => message.role === "assistant").length;
  return { messages, turnIndex, routingKey };
}

/** 32 hex digits that are the same for the same tokens. */
function idOf(prompt: readonly number[], completion: Completion): string {
  const tokens = Uint32Array.from(prompt.concat(completion.tokens));
  const digits = [0n, 1n].map((seed) => Bun.hash.wyhash(tokens, seed).toString(16));
  return digits.map((half) => half.padStart(16, "0")).join("");
}
