// spec: Anthropic API reference, "Streaming messages": ping events, error events
/**
 * A stream of Anthropic's Messages before its message is there.
 *
 * Contract   pings, which the protocol allows anywhere in a stream; the message starts behind them.
 */
import { errorReplyTo } from "../../error-reply.ts";
import type { WaitingEvents } from "../waiting-events.ts";

const ping = 'event: ping\ndata: {"type":"ping"}\n\n';

export const waitingForMessage: WaitingEvents = {
  opening: ping,
  keepAlive: ping,
  eventsInOpening: 0,
  failure(status, sentence) {
    const { body } = errorReplyTo({ kind: "messages" }, status, sentence);
    return `event: error\ndata: ${Buffer.from(body as Uint8Array).toString()}\n\n`;
  },
};
