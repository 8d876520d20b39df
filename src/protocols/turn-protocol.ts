// spec: docs/clients.md
/**
 * What a client's protocol is to a turn: a way to read its request as a chat completion, and a way
 * to write the reply. All protocols share the rest, so that they make the same tokens.
 *
 * Contract   a protocol is pure: no state, no I/O, no tokens. A translation must give what it sends
 *            out a form that it can read back.
 */
import type { JsonObject } from "../json/values.ts";
import type { Reply } from "../operation.ts";
import type { WaitingEvents } from "./waiting-events.ts";

export interface TurnProtocol {
  /**
   * The client speaks something else than the backend: the backend's errors are translated for it,
   * and it sends replies back as its protocol has them.
   */
  readonly isTranslation: boolean;

  /** @throws InvalidRequestError with a sentence that names member and expectation */
  open(body: Uint8Array, earlier: EarlierTurns): OpenedTurn;
}

/** A request that was read. */
export interface OpenedTurn {
  /** The same request as the body of a chat completion. */
  readonly chatBody: Uint8Array;
  /** What a client that takes events gets until the model has answered; `turnId` as in a reply. */
  readonly waiting: (turnId: string) => WaitingEvents;
  /** Called when the model has answered; until then it keeps alive what it refers to. */
  readonly render: (answer: TurnAnswer) => Reply;
}

/** The turns that the session holds. */
export interface EarlierTurns {
  /** Messages up to and including the reply of a turn; null when there is no such turn. */
  messagesThrough(turnId: string): readonly JsonObject[] | null;
}

/** The reply to a turn, as the session keeps it. */
export interface TurnAnswer {
  /** 32 hex digits that name the turn within the server. */
  readonly turnId: string;
  /** The request asks for server-sent events. */
  readonly stream: boolean;
  /** The request asks for log-probabilities. */
  readonly logprobs: boolean;
  /** The chat completion, its first choice, and the message in that. */
  readonly response: JsonObject;
  readonly choice: JsonObject;
  readonly assistantMessage: JsonObject;
  /** Tokens as the session counts them. */
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** The chat completion as it came, replay payloads left out. */
  readonly received: Reply;
}
