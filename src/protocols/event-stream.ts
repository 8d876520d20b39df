/**
 * A reply as server-sent events, all of them at once.
 *
 * Contract   the headers keep proxies from storing the stream or holding it back.
 */
import type { Reply } from "../operation.ts";

const encoder = new TextEncoder();

/** @param events in the format of text/event-stream, each with its blank line */
export function eventStreamReply(status: number, events: string): Reply {
  return {
    status,
    // The backend's headers describe its JSON body, not this one. X-Accel-Buffering keeps reverse
    // proxies from holding the stream back.
    headers: [
      ["content-type", "text/event-stream; charset=utf-8"],
      ["cache-control", "no-cache"],
      ["x-accel-buffering", "no"],
    ],
    body: encoder.encode(events),
  };
}
