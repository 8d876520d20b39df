/**
 * A reply as server-sent events, all of them at once.
 *
 * Contract   the headers keep proxies from storing the stream or holding it back.
 */
import type { HeaderList, Reply } from "../operation.ts";

const encoder = new TextEncoder();

/**
 * The backend's headers describe its JSON body, not this one. X-Accel-Buffering keeps reverse
 * proxies from holding the stream back.
 */
export const eventStreamHeaders: Readonly<HeaderList> = [
  ["content-type", "text/event-stream; charset=utf-8"],
  ["cache-control", "no-cache"],
  ["x-accel-buffering", "no"],
];

/** @param events in the format of text/event-stream, each with its blank line */
export function eventStreamReply(status: number, events: string): Reply {
  return {
    status,
    headers: [...eventStreamHeaders],
    body: encoder.encode(events),
  };
}
