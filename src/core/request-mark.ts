// spec: docs/clients.md, "Retries"
/**
 * Which requests of a session are the same one, sent again.
 *
 * Clients that time out repeat themselves. Those of OpenAI and Anthropic say so: the header
 * X-Stainless-Retry-Count is above 0 in a repetition. Others name each request once, with
 * Idempotency-Key.
 *
 * Contract   a request is known by protocol, query and body, or by the key that its client gave it.
 *            Without a mark, a request that looks like an earlier one is a new one.
 * Reports    InvalidRequestError for a key that is too long.
 */
import { InvalidRequestError } from "../errors.ts";
import { idempotencyKeyCharactersMax } from "../limits.ts";
import type { HeaderList, TurnOperation } from "../operation.ts";

export interface RequestMark {
  /** The same for the same protocol, query and body. */
  readonly fingerprint: string;
  /** The client's own name for the request; null when it gave none. */
  readonly idempotencyKey: string | null;
  /** The client says that it sent this before. */
  readonly isRepetition: boolean;
}

export function readRequestMark(operation: TurnOperation, body: Uint8Array): RequestMark {
  const { kind, query, headers } = operation;
  const idempotencyKey = headerOf(headers, "idempotency-key");
  if (idempotencyKey !== null && idempotencyKey.length > idempotencyKeyCharactersMax) {
    throw new InvalidRequestError(
      `Idempotency-Key has ${idempotencyKey.length} characters: at most ` +
        `${idempotencyKeyCharactersMax} are accepted`,
    );
  }
  return {
    fingerprint: `${kind} ${query} ${hashesOf(body)}`,
    idempotencyKey,
    isRepetition: Number(headerOf(headers, "x-stainless-retry-count") ?? "0") > 0,
  };
}

/**
 * 128 bits of two independent hashes. No cryptographic ones, which cost more than all else that a
 * turn does with its body: who makes two requests of one session collide fools himself alone.
 */
function hashesOf(body: Uint8Array): string {
  return `${Bun.hash.wyhash(body)} ${Bun.hash.xxHash3(body)} ${body.length}`;
}

/** An empty value is none. */
function headerOf(headers: HeaderList, name: string): string | null {
  return headers.find(([header]) => header === name)?.[1] || null;
}
