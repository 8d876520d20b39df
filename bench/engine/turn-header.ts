/**
 * The request header that tells the engine which reply is due, so that it need not read a body of a
 * megabyte to find out. A session server passes it on like any header it does not own.
 */

export const turnHeaderName = "x-bench-turn";

/** Sent with any value, it lets the engine answer without thinking: to find its limits. */
export const hasteHeaderName = "x-bench-haste";

export interface TurnReference {
  readonly sessionIndex: number;
  readonly turnIndex: number;
}

export function formatTurnHeader({ sessionIndex, turnIndex }: TurnReference): string {
  return `${sessionIndex}/${turnIndex}`;
}

export function parseTurnHeader(text: string | null): TurnReference | null {
  const [, session, turn] = /^(\d+)\/(\d+)$/.exec(text ?? "") ?? [];
  if (session === undefined || turn === undefined) return null;
  return { sessionIndex: Number(session), turnIndex: Number(turn) };
}
