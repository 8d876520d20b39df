/**
 * Where in a chat reply the span scanner stands: open containers, and whether the path to them is
 * that of a choice's `meta_info`.
 *
 * Contract   only the member path top-level object -> "choices" array -> element object ->
 *            "meta_info" object is followed; the same words elsewhere mean nothing. Keys count as
 *            Python reads them, escapes resolved. Duplicate keys are followed each.
 * Limits     jsonNestingMax open containers.
 */
import { assert } from "../assert.ts";
import { jsonNestingMax } from "../limits.ts";
import { type ReplayPayloadName, replayPayloadNames } from "./span-stream.ts";

const objectElsewhere = 0;
const arrayElsewhere = 1;
const replyObject = 2;
const choicesArray = 3;
const choiceObject = 4;
const metaInfoObject = 5;

/** "\uXXXX" for each letter of the longest name is the longest way to write a key we know. */
const watchedKeyBytesMax = 6 * Math.max(...replayPayloadNames.map((name) => name.length));

export class SpanPath {
  depth = 0;
  /** Index of the element of "choices" that is being read. */
  choiceIndex = 0;
  /** Whether the current container is an object. */
  inObject = false;
  /** Whether the current container is an array whose elements need not be counted. */
  inPlainArray = false;
  /** Whether the current container is the "meta_info" object of a choice. */
  inMetaInfo = false;
  /** Whether a key of the current container may lead on, so that its text is wanted. */
  watchesKeys = false;
  readonly #containers = new Uint8Array(jsonNestingMax + 1);
  #container = arrayElsewhere;
  /** Whether the key just read leads on to the next container of the path. */
  #onPath = false;

  get isFull(): boolean {
    return this.depth === jsonNestingMax;
  }

  open(isObject: boolean): void {
    assert(!this.isFull, "the nesting limit is checked before a container is opened");
    const container = isObject ? this.#objectHere() : this.#arrayHere();
    this.depth += 1;
    this.#containers[this.depth] = container;
    if (container === choicesArray) this.choiceIndex = 0;
    this.#enter(container);
  }

  close(): void {
    this.depth -= 1;
    this.#enter(this.depth === 0 ? arrayElsewhere : (this.#containers[this.depth] as number));
  }

  /** After a comma in the current container. */
  nextElement(): void {
    this.#onPath = false;
    if (this.#container === choicesArray) this.choiceIndex += 1;
  }

  /**
   * Notes a key of a container that watches keys: the raw text between its quotes. Returns the
   * payload that its value is, or null.
   */
  takeKey(raw: Uint8Array): ReplayPayloadName | null {
    const key = watchedKey(raw);
    if (this.#container === metaInfoObject) {
      return replayPayloadNames.find((name) => name === key) ?? null;
    }
    this.#onPath = key === (this.#container === replyObject ? "choices" : "meta_info");
    return null;
  }

  #objectHere(): number {
    if (this.depth === 0) return replyObject;
    if (this.#container === choicesArray) return choiceObject;
    return this.#container === choiceObject && this.#onPath ? metaInfoObject : objectElsewhere;
  }

  #arrayHere(): number {
    return this.#container === replyObject && this.#onPath ? choicesArray : arrayElsewhere;
  }

  #enter(container: number): void {
    this.#container = container;
    this.inPlainArray = container === arrayElsewhere;
    this.inObject = container !== arrayElsewhere && container !== choicesArray;
    this.inMetaInfo = container === metaInfoObject;
    this.watchesKeys = this.inObject && container !== objectElsewhere;
  }
}

/** The key as text when it may be one of ours, else null. Its syntax has been checked already. */
function watchedKey(raw: Uint8Array): string | null {
  if (raw.length > watchedKeyBytesMax) return null;
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.length).toString("latin1");
  return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
}
