/**
 * The text of a session's messages as its client writes it, so that a request that repeats it is
 * recognised by comparing text instead of parsing and comparing messages.
 *
 * Contract   one segment a stored turn: what that turn's request added to the text of the one
 *            before. Where a request repeats segments, the stored messages stand for their items.
 *            The texts are copies of their own: they keep no request alive.
 * Not here   messages that are written differently: those are parsed and matched one by one.
 */
import type { KnownItems, KnownSegment } from "../json/known-items.ts";
import type { JsonObject } from "../json/values.ts";
import { ownText } from "./own-copy.ts";

export class ReplayedMessages {
  #segments: KnownSegment[] = [];

  /** What the next request's messages probably start with. */
  known(messages: readonly JsonObject[]): KnownItems {
    return { member: "messages", segments: this.#segments, items: messages, matchedSegments: 0 };
  }

  /**
   * Remembers the text of a request whose turn is stored.
   *
   * @param text the array of messages as written, brackets included
   * @param matchedSegments as its parser found them
   */
  commit(text: string, matchedSegments: number, messageCount: number): void {
    const kept = this.#segments.slice(0, matchedSegments);
    const start = kept.reduce((length, segment) => length + segment.text.length, 0);
    // White space before the closing bracket does not stand there any more in the next request.
    const added = text.slice(start, -1).trimEnd();
    if (added !== "") kept.push({ text: ownText(added), itemCount: messageCount });
    this.#segments = kept;
  }
}
