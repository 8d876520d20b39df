/**
 * Takes replay payload members out of a document while it streams, so that what stays is valid JSON
 * and the input can be put together again byte for byte.
 *
 * Contract   exactly one comma goes with each member as long as the object has another member: the
 *            one before it, or, when nothing that stays precedes it, the one after it.
 */
import { noBytes } from "../bytes.ts";
import type { ReplayPayloadName, SpanStream } from "./span-stream.ts";

export interface StrippedMember {
  /** Index in `choices` of the element whose "meta_info" held the member. */
  readonly choiceIndex: number;
  readonly name: ReplayPayloadName;
  /** Where in the skeleton `before`, the value and `after` go back in; members are in order. */
  readonly offset: number;
  /** The exact text before the value: comma when it went too, white space, key, colon. */
  readonly before: Uint8Array;
  /** The exact text after the value: white space and comma, or nothing. */
  readonly after: Uint8Array;
  /** Bytes of the value's JSON text. */
  readonly valueBytes: number;
}

export class SpanMembers {
  readonly stripped: StrippedMember[] = [];
  readonly #stream: SpanStream;
  /** Whether a member of the current meta_info stays in the skeleton. */
  #keepsOne = false;
  /** Offset in the skeleton at which the current member begins, its comma included. */
  #start = 0;
  /** Whether the comma that follows must go with the member stripped last. */
  #owesComma = false;

  constructor(stream: SpanStream) {
    this.#stream = stream;
  }

  openMetaInfo(): void {
    this.#keepsOne = false;
    this.#owesComma = false;
  }

  /** At a comma between two members of a meta_info. */
  comma(at: number): void {
    const stream = this.#stream;
    if (!this.#owesComma) {
      this.#start = stream.skeletonOffset(at);
      return;
    }
    this.#owesComma = false;
    stream.passTo(at + 1);
    const last = this.stripped.length - 1;
    const member = this.stripped[last] as StrippedMember;
    this.stripped[last] = { ...member, after: stream.skeleton.cut(member.offset) };
  }

  /** At the opening quote of a key of a meta_info. */
  key(at: number): void {
    if (!this.#keepsOne) this.#start = this.#stream.skeletonOffset(at);
  }

  /** The member whose key was just read stays. */
  keep(): void {
    this.#keepsOne = true;
  }

  /** At the first byte of a payload's value. */
  beginValue(at: number, choiceIndex: number, name: ReplayPayloadName): void {
    const stream = this.#stream;
    stream.passTo(at);
    const before = stream.skeleton.cut(this.#start);
    this.stripped.push({
      choiceIndex,
      name,
      offset: this.#start,
      before,
      after: noBytes,
      valueBytes: 0,
    });
    stream.beginPayload(choiceIndex, name);
  }

  /** After the last byte of a payload's value. */
  endValue(at: number): void {
    const last = this.stripped.length - 1;
    const member = this.stripped[last] as StrippedMember;
    this.stripped[last] = { ...member, valueBytes: this.#stream.endPayload(at) };
    this.#owesComma = !this.#keepsOne;
  }
}
