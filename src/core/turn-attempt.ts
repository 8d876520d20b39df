/**
 * What the phases of a turn know of it, from its request to the stored turn.
 */
import type { TurnOperation } from "../operation.ts";
import type { TurnProtocol } from "../protocols/turn-protocol.ts";
import type { Session } from "../trajectory/session.ts";
import type { OperationLog } from "./operation-log.ts";

/** What a client asks for, without the request's body: that is let go once it is read. */
export interface AskedTurn {
  readonly session: Session;
  readonly operation: TurnOperation;
  readonly protocol: TurnProtocol;
  /** 32 hex digits. One whose attempt failed is given again: see RetainedReplies. */
  readonly turnId: string;
  /** The same for the same request. */
  readonly fingerprint: string;
  readonly operationLog: OperationLog;
}

/** One attempt at a turn: a client that repeats itself begins another. */
export interface TurnAttempt extends AskedTurn {
  /** Counts the turns that were begun in the session. */
  readonly order: number;
  /** Milliseconds since 1970, when the request arrived. */
  readonly startedMs: number;
}
