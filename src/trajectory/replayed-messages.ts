/**
 * The text of a session's messages as its client writes it, so that a request that repeats it is
 * recognised by comparing bytes instead of decoding, parsing and comparing messages.
 *
 * Contract   one segment a stored turn: what that turn's request added to the text of the one
 *            before. Where a request repeats segments, the stored messages stand for their items.
 *            The text is a copy of its own: it keeps no request alive.
 * Not here   messages that are written differently: those are parsed and matched one by one.
 */
import type { KnownItems, KnownSegment } from "../json/known-items.ts";
import type { JsonObject } from "../json/values.ts";
import { KeptBytes } from "./kept-bytes.ts";

export class ReplayedMessages {
  readonly #segments: KnownSegment[] = [];
  readonly #text = new KeptBytes();

  /** What the next request's messages probably start with; valid until the next commit. */
  known(messages: readonly JsonObject[]): KnownItems {
    return {
      member: "messages",
      bytes: this.#text.view(),
      segments: this.#segments,
      items: messages,
      matchedSegments: 0,
    };
  }

  /**
   * Remembers the text of a request whose turn is stored.
   *
   * @param text the array of messages as written, from behind the matched segments on
   * @param matchedSegments as its reader found them
   */
  commit(text: string, matchedSegments: number, messageCount: number): void {
    const keptBytes = this.#segments[matchedSegments - 1]?.end ?? 0;
    // White space before the closing bracket does not stand there any more in the next request.
    const added = Buffer.from(text.slice(0, -1).trimEnd());
    this.#text.replaceEnd(keptBytes, added);
    this.#segments.length = matchedSegments;
    if (added.length === 0) return;
    this.#segments.push({ end: keptBytes + added.length, itemCount: messageCount });
  }
}
