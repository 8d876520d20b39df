/**
 * A backend that is often in trouble, and remembers what it told whom.
 *
 * Contract   each request is known by the content of its last message, its ticket, which no other
 *            request has. What a good answer held can be asked for by ticket afterwards.
 */
import { type PlainReply, servePlainHttp } from "./plain-http.ts";
import { Random } from "./random.ts";

/** What a good answer held, and what it answered. */
export interface Generation {
  readonly content: string;
  readonly inputIds: readonly number[];
  readonly completionIds: readonly number[];
  readonly routedExperts: string;
}

const behaviours = {
  good: 74,
  slow: 6,
  busy: 4,
  "error page": 3,
  "rate limit": 3,
  "broken off": 4,
  "given up": 3,
  "no tokens": 3,
} as const;
type Behaviour = keyof typeof behaviours;

export interface FlakyBackend {
  readonly url: string;
  /** Requests by what befell them. */
  readonly counts: ReadonlyMap<string, number>;
  /** Resolves when the request of a ticket has arrived. */
  arrival(ticket: string): Promise<void>;
  /** Resolves when it is decided what a ticket is answered. */
  decision(ticket: string): Promise<void>;
  /** What a ticket was answered; null when it was not answered well. */
  generation(ticket: string): Generation | null;
  /** Answers this ticket well, after so many milliseconds and not before. */
  keepWaiting(ticket: string, milliseconds: number): void;
  stop(): void;
}

interface ChatRequest {
  readonly messages: { readonly content: string }[];
  readonly input_ids: number[];
}

export function startFlakyBackend(seed: number): FlakyBackend {
  const arrivals = new Map<string, PromiseWithResolvers<void>>();
  const decisions = new Map<string, PromiseWithResolvers<void>>();
  const generations = new Map<string, Generation>();
  const waits = new Map<string, number>();
  const counts = new Map<string, number>();
  const random = new Random(seed);
  const server = servePlainHttp(async ({ target, body }) => {
    if (!target.endsWith("/v1/chat/completions")) return text(200, "relayed");
    const { messages, input_ids } = JSON.parse(body) as ChatRequest;
    const ticket = messages.at(-1)?.content ?? "";
    settled(arrivals, ticket).resolve();
    const wait = waits.get(ticket);
    const behaviour = wait === undefined ? random.pick(behaviours) : "good";
    counts.set(behaviour, (counts.get(behaviour) ?? 0) + 1);
    const think = behaviour === "slow" ? random.integer(500, 3_000) : random.integer(0, 100);
    await Bun.sleep(wait ?? think);
    const generation = generate(random, ticket, input_ids);
    if (behaviour === "good" || behaviour === "slow") generations.set(ticket, generation);
    settled(decisions, ticket).resolve();
    return replyOf(behaviour, generation);
  });
  return {
    url: server.url,
    counts,
    arrival: (ticket) => settled(arrivals, ticket).promise,
    decision: (ticket) => settled(decisions, ticket).promise,
    generation: (ticket) => generations.get(ticket) ?? null,
    keepWaiting: (ticket, milliseconds) => void waits.set(ticket, milliseconds),
    stop: () => server.stop(),
  };
}

function settled(
  moments: Map<string, PromiseWithResolvers<void>>,
  ticket: string,
): PromiseWithResolvers<void> {
  const moment = moments.get(ticket) ?? Promise.withResolvers<void>();
  moments.set(ticket, moment);
  return moment;
}

function generate(random: Random, ticket: string, inputIds: readonly number[]): Generation {
  const completionIds = Array.from({ length: random.integer(1, 40) }, () =>
    random.integer(0, 50_000),
  );
  return {
    content: `answer to ${ticket}`,
    inputIds,
    completionIds,
    // As R3 does it: what was routed before, and something for each new token.
    routedExperts: inputIds.map((id) => (id % 64).toString(36).padStart(2, "0")).join(""),
  };
}

function replyOf(behaviour: Behaviour, generation: Generation): PlainReply {
  switch (behaviour) {
    case "busy":
      return text(503, "busy");
    case "error page":
      return { status: 500, contentType: "text/html", body: "<html>" };
    case "rate limit":
      return text(429, "slow down");
    case "broken off":
      return { ...json(replyText(generation)), breaksOff: true };
    case "given up":
      return json(replyText(generation, "abort"));
    case "no tokens":
      return json('{"choices":[{"message":{"role":"assistant","content":"x"}}]}');
    default:
      return json(replyText(generation));
  }
}

function json(body: string): PlainReply {
  return { status: 200, contentType: "application/json", body };
}

function text(status: number, body: string): PlainReply {
  return { status, contentType: "text/plain", body };
}

function replyText(generation: Generation, finishReason = "stop"): string {
  const { content, completionIds, routedExperts } = generation;
  return JSON.stringify({
    choices: [
      {
        index: 0,
        message: { role: "assistant", content },
        finish_reason: finishReason,
        meta_info: {
          completion_tokens: completionIds.length,
          output_token_logprobs: completionIds.map((id) => [-0.5, id, null]),
          routed_experts: routedExperts,
        },
      },
    ],
  });
}
