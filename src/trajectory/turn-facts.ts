/**
 * What is remembered of a stored turn besides its messages and tokens: for the summary of a
 * session, and for clients that refer to a turn by name.
 */
import type { TurnKind } from "../operation.ts";

export interface TurnFacts {
  /** 32 hex digits. */
  readonly id: string;
  /** Counts the turns that were begun in the session. */
  readonly order: number;
  /** The same for the same request. */
  readonly fingerprint: string;
  /** The protocol in which it was asked for. */
  readonly kind: TurnKind;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** As the backend gave it; null when it gave none. */
  readonly finishReason: string | null;
  /** Milliseconds since 1970, when the request arrived. */
  readonly startedMs: number;
  /** Milliseconds from the request to the stored turn. */
  readonly durationMs: number;
}
