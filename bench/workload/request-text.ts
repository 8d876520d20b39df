/**
 * The bodies of all chat requests as pieces of one text: a request is an opening with the session's
 * system message, a prefix of the messages of all turns, and a closing.
 */
import { type Conversation, systemMessage } from "./conversation.ts";
import type { Shape } from "./shape.ts";

export interface RequestText {
  /** Every message after the system message, each with a comma before it. */
  readonly messages: Uint8Array;
  /** Bytes of `messages` that the request of each turn has. */
  readonly messageEnds: readonly number[];
  readonly closing: string;
}

export const modelName = "bench";

export function makeRequestText(shape: Shape, conversation: Conversation): RequestText {
  const pieces: Buffer[] = [];
  const messageEnds: number[] = [];
  let byteLength = 0;
  const add = (message: object): void => {
    const piece = Buffer.from(`,${JSON.stringify(message)}`);
    pieces.push(piece);
    byteLength += piece.length;
  };
  for (const turn of conversation.turns) {
    for (const message of turn.appended) add(message);
    messageEnds.push(byteLength);
    add(turn.assistantMessage);
  }
  const tools = conversation.tools === null ? "" : `,"tools":${JSON.stringify(conversation.tools)}`;
  const closing = `]${tools},"temperature":1.0,"max_tokens":${shape.outputTokens}}`;
  return { messages: Buffer.concat(pieces), messageEnds, closing };
}

export function requestOpening(sessionIndex: number): string {
  return `{"model":"${modelName}","messages":[${JSON.stringify(systemMessage(sessionIndex))}`;
}

/** The body of one request; the middle piece is a view. */
export function requestBody(
  text: RequestText,
  sessionIndex: number,
  turnIndex: number,
): Uint8Array[] {
  const end = text.messageEnds[turnIndex];
  if (end === undefined) throw new Error(`there is no turn ${turnIndex}`);
  return [
    Buffer.from(requestOpening(sessionIndex)),
    text.messages.subarray(0, end),
    Buffer.from(text.closing),
  ];
}
