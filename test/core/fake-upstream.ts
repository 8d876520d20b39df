/**
 * A backend inside the test: each request waits until the test answers it.
 */
import type {
  Upstream,
  UpstreamReply,
  UpstreamRequest,
} from "../../src/upstream/upstream-client.ts";

export interface PendingRequest {
  readonly request: UpstreamRequest;
  readonly body: Record<string, unknown>;
  /** Answers with a generated message of one token. */
  generate(content: string, options?: { token?: number; routedExperts?: string }): void;
  answer(status: number, body: string | readonly string[]): void;
  fail(error: Error): void;
}

export class FakeUpstream implements Upstream {
  readonly #arrived: PendingRequest[] = [];
  readonly #waiting: ((request: PendingRequest) => void)[] = [];

  /** The next request that was sent, as soon as it is. */
  next(): Promise<PendingRequest> {
    const pending = this.#arrived.shift();
    if (pending) return Promise.resolve(pending);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Requests that arrived and that no test has taken. */
  get unanswered(): number {
    return this.#arrived.length;
  }

  send(request: UpstreamRequest): Promise<UpstreamReply> {
    const reply = Promise.withResolvers<UpstreamReply>();
    const answer = (status: number, body: string | readonly string[]): void => {
      const chunks = typeof body === "string" ? [body] : body;
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(Buffer.from(chunk));
          controller.close();
        },
      });
      const contentLength = Buffer.byteLength(chunks.join(""));
      const headers: [string, string][] = [["content-type", "application/json"]];
      reply.resolve({ status, headers, contentLength, body: stream });
    };
    const text = Buffer.from(request.body).toString();
    const pending: PendingRequest = {
      request,
      body: text === "" ? {} : JSON.parse(text),
      answer,
      fail: reply.reject,
      generate(content, { token = 7, routedExperts = "AAAA" } = {}) {
        const metaInfo = {
          completion_tokens: 1,
          output_token_logprobs: [[-0.5, token, null]],
          routed_experts: routedExperts,
        };
        const message = { role: "assistant", content };
        answer(200, JSON.stringify({ choices: [{ message, meta_info: metaInfo }] }));
      },
    };
    const waiting = this.#waiting.shift();
    if (waiting) waiting(pending);
    else this.#arrived.push(pending);
    return reply.promise;
  }
}
