/**
 * A mock inference engine: answers like SGLang's OpenAI server, without a model.
 *
 * Contract   POST /v1/chat/completions takes `input_ids` (or renders the messages) and answers with
 *            the tokens of an echoed or scripted reply, meta_info and replay payloads. A reply
 *            depends on the request alone, but for `created`: the same request gets the same bytes
 *            from every engine that was started alike.
 * Also       POST /generate, GET /v1/models and /health; FastAPI's 404 and 405 for the rest.
 * Faults     by start option, by reply, by the request header `x-mock-error` (fault.ts); the header
 *            goes first, then the reply.
 * Not here   streaming, choice.logprobs, batches, sampling parameters other than the token limit.
 */
import { errorText } from "../errors.ts";
import { log } from "../log.ts";
import { ChatCompletions } from "./chat-completions.ts";
import { checkInputIds, parseRequestObject } from "./chat-request.ts";
import { type EngineCheckpoint, loadEngineCheckpoint } from "./engine-checkpoint.ts";
import { EngineError, errorBody } from "./engine-error.ts";
import { checkFault, type Fault, faultStatus } from "./fault.ts";
import type { HttpRequest } from "./http-request-reader.ts";
import { type Delivery, type HttpReply, startHttpServer, whenAborted } from "./http-server.ts";
import { type MockEngineOptions, type MockEngineSettings, settle } from "./options.ts";
import { ReplayPayloads } from "./replay-payload.ts";

export interface ReceivedRequest extends Omit<HttpRequest, "body"> {
  readonly body: string;
}

export interface MockEngine {
  /** Origin without trailing slash. */
  readonly url: string;
  readonly port: number;
  /** What was received, oldest first; only the newest `requestsKeptMax` are kept. */
  readonly requests: readonly ReceivedRequest[];
  /** Resets every connection; idempotent. */
  stop(): void;
}

/** @throws Error for an option without sense, an unreadable checkpoint or a taken address */
export async function startMockEngine(options: MockEngineOptions = {}): Promise<MockEngine> {
  const settings = settle(options);
  const checkpoint = await loadEngineCheckpoint(settings);
  const endpoints = new Endpoints(settings, checkpoint);
  const requests: ReceivedRequest[] = [];
  const server = startHttpServer(settings.host, settings.port, (request, closed) => {
    const received = { ...request, body: decoder.decode(request.body) };
    if (settings.requestsKeptMax > 0) requests.push(received);
    if (requests.length > settings.requestsKeptMax) requests.shift();
    return endpoints.respond(received, closed);
  });
  const host = settings.host.includes(":") ? `[${settings.host}]` : settings.host;
  return {
    url: `http://${host}:${server.port}`,
    port: server.port,
    requests,
    stop: () => server.stop(),
  };
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

class Endpoints {
  readonly #settings: MockEngineSettings;
  readonly #checkpoint: EngineCheckpoint;
  readonly #chatCompletions: ChatCompletions;

  constructor(settings: MockEngineSettings, checkpoint: EngineCheckpoint) {
    this.#settings = settings;
    this.#checkpoint = checkpoint;
    this.#chatCompletions = new ChatCompletions(settings, checkpoint, new ReplayPayloads());
  }

  async respond(request: ReceivedRequest, closed: AbortSignal): Promise<HttpReply> {
    try {
      return await this.#route(request, closed);
    } catch (error) {
      if (error instanceof EngineError) {
        return jsonReply(error.status, errorBody(error.message, error.status));
      }
      log.error("mock engine: a request failed", error);
      return jsonReply(500, errorBody(errorText(error), 500));
    }
  }

  async #route(request: ReceivedRequest, closed: AbortSignal): Promise<HttpReply> {
    switch (request.path) {
      case "/v1/chat/completions":
        return request.method === "POST" ? await this.#chat(request, closed) : notAllowed("POST");
      case "/generate":
        return request.method === "POST" ? await this.#generate(request) : notAllowed("POST");
      case "/v1/models":
        return request.method === "GET" ? this.#models() : notAllowed("GET");
      case "/health":
        return request.method === "GET" ? textReply(200, "text/plain", "") : notAllowed("GET");
      default:
        return jsonReply(404, '{"detail":"Not Found"}');
    }
  }

  async #chat(request: ReceivedRequest, closed: AbortSignal): Promise<HttpReply> {
    const routingKey = request.headers["x-smg-routing-key"] ?? "";
    const requestFault = headerFault(request);
    const answer = await this.#chatCompletions.answer(request.body, routingKey, requestFault);
    const { latencyMs, latencyMsPerToken } = this.#settings;
    await delay(latencyMs + latencyMsPerToken * answer.completionTokens, closed);
    return await this.#deliver(answer.body, answer.fault, closed);
  }

  async #deliver(
    body: readonly Uint8Array[],
    fault: Fault | null,
    closed: AbortSignal,
  ): Promise<HttpReply> {
    const status = fault === null ? null : faultStatus(fault);
    if (status !== null) return errorReply(status.status, status.body);
    if (fault === "not-json") return textReply(200, "application/json", "Internal Server Error");
    if (fault === "silent") await whenAborted(closed);
    const { framing } = this.#settings;
    return { ...jsonReply(200, ""), body, framing, delivery: deliveryOf(fault) };
  }

  /** Gives back the text or the tokens that it got, as SGLang's native endpoint would. */
  async #generate(request: ReceivedRequest): Promise<HttpReply> {
    const body = parseRequestObject(request.body);
    const { tokenizer } = this.#checkpoint;
    const inputIds = checkInputIds(body["input_ids"]);
    const text = body["text"];
    if (inputIds === null && typeof text !== "string") {
      throw new EngineError("Either text or input_ids should be provided.");
    }
    const ids = inputIds ?? (await tokenizer.encode(String(text)));
    const reply = {
      text: inputIds === null ? text : await tokenizer.decode(ids),
      output_ids: ids,
      meta_info: {
        id: Bun.hash.wyhash(Uint32Array.from(ids)).toString(16).padStart(32, "0"),
        finish_reason: { type: "length", length: ids.length },
        prompt_tokens: ids.length,
        weight_version: this.#settings.weightVersion,
        completion_tokens: ids.length,
        cached_tokens: 0,
      },
    };
    return jsonReply(200, JSON.stringify(reply));
  }

  #models(): HttpReply {
    const { modelName, created } = this.#settings;
    const model = {
      id: modelName,
      object: "model",
      created: created ?? Math.floor(Date.now() / 1000),
      owned_by: "sglang",
      root: modelName,
      max_model_len: null,
    };
    return jsonReply(200, JSON.stringify({ object: "list", data: [model] }));
  }
}

/** @throws EngineError when the header names no fault */
function headerFault(request: ReceivedRequest): Fault | null {
  const text = request.headers["x-mock-error"];
  if (text === undefined) return null;
  try {
    return checkFault(text);
  } catch (error) {
    throw new EngineError(errorText(error));
  }
}

function deliveryOf(fault: Fault | null): Delivery {
  switch (fault) {
    case "reset":
    case "silent":
      return "none-then-reset";
    case "truncated":
      return "half-then-close";
    case "stalled":
      return "half-then-stall";
    default:
      return "whole";
  }
}

function errorReply(status: number, body: string | null): HttpReply {
  if (body === null) return jsonReply(status, errorBody(`mock error ${status}`, status));
  const isJson = body.startsWith("{") || body.startsWith("[");
  return textReply(status, isJson ? "application/json" : "text/plain", body);
}

function notAllowed(allow: string): HttpReply {
  const reply = jsonReply(405, '{"detail":"Method Not Allowed"}');
  return { ...reply, headers: [...reply.headers, ["allow", allow]] };
}

function jsonReply(status: number, text: string): HttpReply {
  return textReply(status, "application/json", text);
}

function textReply(status: number, mediaType: string, text: string): HttpReply {
  return {
    status,
    headers: [
      ["date", new Date().toUTCString()],
      ["server", "uvicorn"],
      ["content-type", mediaType],
    ],
    body: [Buffer.from(text, "utf8")],
    framing: "content-length",
    delivery: "whole",
  };
}

/** Resolves after `ms` milliseconds, or at once when the client goes away. */
async function delay(ms: number, closed: AbortSignal): Promise<void> {
  if (ms <= 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([promise, whenAborted(closed)]);
  clearTimeout(timer);
}
