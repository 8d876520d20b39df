/**
 * Names of responses and of their items: each says of which turn it is.
 *
 *   resp_{turn}   rs_{turn}   msg_{turn}   fc_{turn}_{index}
 *
 * Calls of other tools than functions have other letters in place of fc.
 *
 * Contract   a turn is 32 hex digits; the index counts the calls of its reply.
 */
export const responseId = (turnId: string): string => `resp_${turnId}`;
export const reasoningId = (turnId: string): string => `rs_${turnId}`;
export const messageId = (turnId: string): string => `msg_${turnId}`;
export const callItemId = (prefix: string, turnId: string, index: number): string =>
  `${prefix}_${turnId}_${index}`;

export interface ItemReference {
  readonly kind: "reasoning" | "message" | "call";
  readonly turnId: string;
  /** Of a call; 0 for other items. */
  readonly index: number;
}

const kinds: Readonly<Record<string, ItemReference["kind"]>> = { rs: "reasoning", msg: "message" };

/** Null for an id that this server did not make. */
export function readItemId(id: string): ItemReference | null {
  const [, prefix, turnId, index] = /^([a-z]+)_([0-9a-f]{32})(?:_(\d+))?$/.exec(id) ?? [];
  if (prefix === undefined || turnId === undefined) return null;
  const kind = kinds[prefix] ?? (index === undefined ? null : "call");
  return kind === null ? null : { kind, turnId, index: Number(index ?? 0) };
}

/** Null for an id that this server did not make. */
export function readResponseId(id: string): string | null {
  return /^resp_([0-9a-f]{32})$/.exec(id)?.[1] ?? null;
}
