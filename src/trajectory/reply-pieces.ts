// spec: docs/clients.md, "What a client sends back"
/**
 * A reply that is put together from the messages that a client made of it.
 *
 * Contract   messages are added in their order. Their texts are joined, and so are their calls.
 * Limits     the work is linear in what is added, however many messages a request has: texts are
 *            compared only where their lengths can be right, and calls only where their number is,
 *            which is a few times as long as callers ask after a piece that is not blank.
 */
import { callsOf, textMember } from "../json/chat-message.ts";
import type { JsonObject } from "../json/values.ts";
import { matchesReplayedReply, noContent } from "./replayed-reply.ts";

export class ReplyPieces {
  readonly #stored: JsonObject;
  readonly #callCount: number;
  readonly #first: JsonObject;
  readonly #content: JoinedText;
  readonly #reasoning: JoinedText;
  readonly #calls: JsonObject[];

  constructor(stored: JsonObject, first: JsonObject) {
    this.#stored = stored;
    this.#callCount = callsOf(stored).length;
    this.#first = first;
    this.#content = new JoinedText(stored, first, "content");
    this.#reasoning = new JoinedText(stored, first, "reasoning_content");
    this.#calls = [...callsOf(first)];
  }

  /** Whether the piece says nothing, so that a reply is with it what it was without. */
  static isBlank(piece: JsonObject): boolean {
    return (
      textMember(piece, "content").trim() === "" &&
      textMember(piece, "reasoning_content").trim() === "" &&
      callsOf(piece).length === 0
    );
  }

  add(piece: JsonObject): void {
    this.#content.add(textMember(piece, "content"));
    this.#reasoning.add(textMember(piece, "reasoning_content"));
    for (const call of callsOf(piece)) this.#calls.push(call);
  }

  /** Whether no further piece can make them the stored reply. */
  get isTooMuch(): boolean {
    return (
      this.#calls.length > this.#callCount ||
      // Without text, it may be a word for that.
      this.#content.letters > Math.max(this.#content.storedLetters, noContent.length) ||
      this.#reasoning.letters > this.#reasoning.storedLetters
    );
  }

  /** The stored reply as the pieces have it; null when they are not that. */
  whole(): JsonObject | null {
    if (!this.#canBeWhole) return null;
    const joined = new Map(this.#first);
    for (const text of [this.#content, this.#reasoning]) text.writeTo(joined);
    if (this.#calls.length > 0) joined.set("tool_calls", this.#calls.slice());
    return matchesReplayedReply(this.#stored, joined) ? joined : null;
  }

  get #canBeWhole(): boolean {
    return (
      !this.isTooMuch &&
      this.#calls.length === this.#callCount &&
      (this.#content.canBeStored || this.#content.storedLetters === 0) &&
      this.#reasoning.canBeStored
    );
  }
}

/** One member of the pieces, and how much of the stored one it can be. */
class JoinedText {
  readonly storedLetters: number;
  /** Characters that are no white space. */
  letters = 0;
  readonly #name: string;
  readonly #parts: string[] = [];

  constructor(stored: JsonObject, first: JsonObject, name: string) {
    this.#name = name;
    this.storedLetters = lettersOf(textMember(stored, name));
    this.add(textMember(first, name));
  }

  /** Clients may leave it out. */
  get canBeStored(): boolean {
    return this.letters === 0 || this.letters === this.storedLetters;
  }

  add(text: string): void {
    if (text === "") return;
    this.#parts.push(text);
    this.letters += lettersOf(text);
  }

  writeTo(message: JsonObject): void {
    if (this.#parts.length > 0) message.set(this.#name, this.#parts.join(""));
  }
}

function lettersOf(text: string): number {
  return text.replace(/\s+/g, "").length;
}
