/**
 * Splits a chat reply while it streams: replay payloads to a sink, everything else to a skeleton.
 *
 * Contract   push() takes the document in chunks of any size; the members `routed_experts` and
 *            `indexer_topk` of `choices[*].meta_info` go to the sink as raw JSON text, never held
 *            here; the rest is the skeleton, byte for byte. finish() returns it with what is needed
 *            to put the document together again byte for byte.
 *            As strict as Python's json.loads on structure (NaN and infinities pass, a UTF-8 byte
 *            order mark is skipped); bytes of a string need not be UTF-8.
 * Reports    SpanSyntaxError, with the byte and what was expected; the scanner is dead afterwards
 *            and what the sink got must be thrown away.
 * Limits     jsonNestingMax.
 * Not here   what a reply must contain: `isObject` is false for any other JSON value.
 */
import { assert } from "../assert.ts";
import { jsonNestingMax } from "../limits.ts";
import { type Expectation, expectedText } from "./span-expectation.ts";
import { SpanMembers, type StrippedMember } from "./span-members.ts";
import { integersEnd, NumberScanner } from "./span-number.ts";
import { SpanPath } from "./span-path.ts";
import { type PayloadSink, type ReplayPayloadName, SpanStream } from "./span-stream.ts";
import { StringScanner } from "./span-string.ts";

export interface ScannedDocument {
  /** The document without the stripped members and without a byte order mark. */
  readonly skeleton: Uint8Array;
  /** In the order of the document, which is that of the sink's begin() calls. */
  readonly members: readonly StrippedMember[];
  /** Whether the document is a JSON object. */
  readonly isObject: boolean;
  /** Whether a UTF-8 byte order mark stood before the document. */
  readonly byteOrderMark: boolean;
}

type Token = "none" | "string" | "number" | "literal" | "byteOrderMark";

const literals = new Map<number, string>(
  ["true", "false", "null", "NaN", "Infinity"].map((word) => [word.charCodeAt(0), word]),
);
const byteOrderMark = "\xef\xbb\xbf";

export class SpanScanner {
  readonly #stream: SpanStream;
  readonly #path = new SpanPath();
  readonly #members: SpanMembers;
  readonly #string: StringScanner;
  readonly #number: NumberScanner;
  #token: Token = "none";
  #expectation: Expectation = "document";
  /** The word that is being read when the token is a literal or the mark, and how far. */
  #word = "";
  #wordIndex = 0;
  #stringIsKey = false;
  /** Offset in the skeleton of a watched key's opening quote. */
  #keyStart = 0;
  /** The payload that the next value is. */
  #payloadName: ReplayPayloadName | null = null;
  /** Open containers around the payload that is being read. */
  #payloadDepth = 0;
  #isObject = false;
  #hasByteOrderMark = false;
  #isOpen = true;

  constructor(sink: PayloadSink) {
    this.#stream = new SpanStream(sink);
    this.#members = new SpanMembers(this.#stream);
    this.#string = new StringScanner(this.#stream);
    this.#number = new NumberScanner(this.#stream);
  }

  /** Takes the next bytes of the document; the chunk is not kept. */
  push(chunk: Uint8Array): void {
    assert(this.#isOpen, "a scanner that failed or finished takes no more");
    this.#isOpen = false;
    this.#stream.start(chunk);
    this.#string.startChunk();
    let index = 0;
    while (index < chunk.length) index = this.#scanOn(index);
    this.#stream.endChunk();
    this.#isOpen = true;
  }

  /** Ends the document. */
  finish(): ScannedDocument {
    assert(this.#isOpen, "a scanner finishes once, and not after a failure");
    this.#isOpen = false;
    if (this.#token === "number") {
      this.#number.endDocument();
      this.#endValue(0);
    }
    if (this.#token !== "none" || this.#expectation !== "nothing") {
      this.#failHere(0);
    }
    return {
      skeleton: this.#stream.skeleton.finish(),
      members: this.#members.stripped,
      isObject: this.#isObject,
      byteOrderMark: this.#hasByteOrderMark,
    };
  }

  #scanOn(at: number): number {
    switch (this.#token) {
      case "none":
        return this.#scanStructure(at);
      case "string": {
        const end = this.#string.scan(at);
        if (this.#string.closed) this.#endString(end);
        return end;
      }
      case "number": {
        const end = this.#number.scan(at);
        if (this.#number.isNegativeInfinity) this.#beginWord("literal", "Infinity", 0);
        else if (this.#number.closed) this.#endValue(end);
        return end;
      }
      default:
        return this.#scanWord(at);
    }
  }

  /** Everything up to and including the first byte of a token that may be cut by the chunk. */
  #scanStructure(at: number): number {
    const chunk = this.#stream.chunk;
    let index = at;
    while (index < chunk.length) {
      const byte = chunk[index] as number;
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
        if (this.#expectation === "document") this.#expectation = "value";
        index += 1;
        continue;
      }
      if (!this.#takePunctuation(byte, index)) {
        const end = this.#takeValue(byte, index);
        if (this.#token !== "none") return end;
        index = end;
      } else {
        index += 1;
        if (this.#token !== "none") return index;
      }
    }
    return index;
  }

  /** Returns false when a value is expected: the byte must be its first one. */
  #takePunctuation(byte: number, at: number): boolean {
    switch (this.#expectation) {
      case "commaOrEnd":
        if (byte === 0x2c) this.#takeComma(at);
        else if (byte === (this.#path.inObject ? 0x7d : 0x5d)) this.#close(at);
        else this.#failHere(at);
        return true;
      case "valueOrEnd":
        if (byte !== 0x5d) return false;
        this.#close(at);
        return true;
      case "colon":
        if (byte !== 0x3a) this.#failHere(at);
        this.#expectation = "value";
        return true;
      case "key":
      case "keyOrEnd":
        if (byte === 0x22) this.#beginKey(at);
        else if (byte === 0x7d && this.#expectation === "keyOrEnd") this.#close(at);
        else this.#failHere(at);
        return true;
      case "nothing":
        return this.#failHere(at);
      default:
        return false;
    }
  }

  /** At the first byte of a value; returns the index up to which it was read. */
  #takeValue(byte: number, at: number): number {
    if (this.#payloadName !== null) {
      this.#members.beginValue(at, this.#path.choiceIndex, this.#payloadName);
      this.#payloadName = null;
      this.#payloadDepth = this.#path.depth;
    }
    if (byte === 0x22) {
      this.#stringIsKey = false;
      this.#string.begin();
      this.#token = "string";
    } else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
      const end = this.#path.inPlainArray ? integersEnd(this.#stream.chunk, at) : -1;
      if (end !== -1) {
        this.#endValue(end);
        return end;
      }
      this.#number.begin(byte);
      this.#token = "number";
    } else if (byte === 0x7b || byte === 0x5b) {
      this.#open(byte === 0x7b, at);
    } else if (byte === 0xef && this.#expectation === "document") {
      this.#beginWord("byteOrderMark", byteOrderMark, 1);
    } else {
      this.#beginWord("literal", literals.get(byte) ?? this.#failHere(at), 1);
    }
    return at + 1;
  }

  #open(isObject: boolean, at: number): void {
    const path = this.#path;
    if (path.isFull) this.#stream.fail(at, `at most ${jsonNestingMax} nested containers`);
    if (path.depth === 0) this.#isObject = isObject;
    path.open(isObject);
    if (path.inMetaInfo) this.#members.openMetaInfo();
    this.#expectation = isObject ? "keyOrEnd" : "valueOrEnd";
  }

  #close(at: number): void {
    this.#path.close();
    this.#endValue(at + 1);
  }

  #takeComma(at: number): void {
    const path = this.#path;
    if (path.inMetaInfo) this.#members.comma(at);
    path.nextElement();
    this.#expectation = path.inObject ? "key" : "value";
  }

  #beginKey(at: number): void {
    if (this.#path.inMetaInfo) this.#members.key(at);
    if (this.#path.watchesKeys) this.#keyStart = this.#stream.skeletonOffset(at);
    this.#stringIsKey = true;
    this.#string.begin();
    this.#token = "string";
  }

  #endString(at: number): void {
    if (!this.#stringIsKey) {
      this.#endValue(at);
      return;
    }
    this.#token = "none";
    this.#expectation = "colon";
    if (!this.#path.watchesKeys) return;
    this.#stream.passTo(at);
    const quoted = this.#stream.skeleton.view(this.#keyStart);
    this.#payloadName = this.#path.takeKey(quoted.subarray(1, quoted.length - 1));
    if (this.#payloadName === null && this.#path.inMetaInfo) this.#members.keep();
  }

  /** After the last byte of any value. */
  #endValue(at: number): void {
    this.#token = "none";
    this.#expectation = this.#path.depth === 0 ? "nothing" : "commaOrEnd";
    if (this.#stream.inPayload && this.#path.depth === this.#payloadDepth) {
      this.#members.endValue(at);
    }
  }

  #beginWord(token: "literal" | "byteOrderMark", word: string, index: number): void {
    this.#token = token;
    this.#word = word;
    this.#wordIndex = index;
  }

  #scanWord(at: number): number {
    if (this.#stream.chunk[at] !== this.#word.charCodeAt(this.#wordIndex)) {
      this.#failHere(at);
    }
    this.#wordIndex += 1;
    const end = at + 1;
    if (this.#wordIndex < this.#word.length) return end;
    if (this.#token === "literal") {
      this.#endValue(end);
    } else {
      this.#stream.passTo(end);
      this.#stream.skeleton.cut(0);
      this.#hasByteOrderMark = true;
      this.#token = "none";
      this.#expectation = "value";
    }
    return end;
  }

  #failHere(at: number): never {
    if (this.#token === "string") this.#stream.fail(at, "the end of a string");
    if (this.#token === "literal") this.#stream.fail(at, this.#word);
    if (this.#token === "byteOrderMark") this.#stream.fail(at, "a byte order mark");
    this.#stream.fail(at, expectedText(this.#expectation, this.#path.inObject));
  }
}
