/**
 * Reads the vocabulary and the merges out of a tokenizer.json: hundreds of thousands of short
 * strings, nearly all of the file's megabytes. One flat loop over the bytes, driven by a table for
 * what stands between strings: such a loop is fast from its first thousand rounds on, which is what
 * counts for something that runs once in a process.
 *
 * Contract   strict JSON of one of three shapes. Strings become the bytes that their characters
 *            stand for (byte-alphabet.ts), in one array; those of other characters are kept apart.
 * Reports    UnsupportedFeatureError on anything else.
 */
import { tokenIdMax } from "../../limits.ts";
import { alphabetBytes, bytesOfCharacters } from "./byte-alphabet.ts";
import { JsonCursor } from "./json-cursor.ts";
import { requireFeature, UnsupportedFeatureError } from "./unsupported-feature.ts";
import { emptyHash, hashByte, hashBytes } from "./vocabulary.ts";

/** The tokens that were read, in their order. */
export interface TokenList {
  readonly count: number;
  /** Bytes of all tokens, one after another, and behind them unused room. */
  readonly bytes: Uint8Array;
  /** Index in `bytes` behind each token; it starts where the one before it ends. */
  readonly ends: Int32Array;
  /** hashBytes() of each token. */
  readonly hashes: Int32Array;
  /** The number behind each token, for a vocabulary. */
  readonly numbers: Int32Array;
  /** Strings that are not of the byte alphabet, by their place; they have no bytes. */
  readonly others: ReadonlyMap<number, string>;
}

/** Kinds of bytes between strings. */
const kinds = [
  "other",
  "space",
  "quote",
  "comma",
  "colon",
  "[",
  "]",
  "}",
  "zero",
  "digit",
] as const;
type Kind = (typeof kinds)[number];

const kindOfByte = new Uint8Array(256);
for (const [kind, characters] of [
  ["space", " \t\n\r"],
  ["quote", '"'],
  ["comma", ","],
  ["colon", ":"],
  ["[", "["],
  ["]", "]"],
  ["}", "}"],
  ["zero", "0"],
  ["digit", "123456789"],
] as const) {
  for (const character of characters) kindOfByte[character.charCodeAt(0)] = kinds.indexOf(kind);
}
const quoteKind = kinds.indexOf("quote");
const zeroKind = kinds.indexOf("zero");

/** States of the table. What a shape does not mention leads to 0, where reading has failed. */
const finished = 1;
const firstState = 2;

/** What may follow what: [state, kind, next state]. White space stays in its state by itself. */
type Shape = readonly (readonly [number, Kind, number])[];

/** "token": 1, ... } */
const vocabularyShape: Shape = [
  [2, "quote", 3],
  [3, "colon", 4],
  [4, "zero", 6],
  [4, "digit", 5],
  [5, "zero", 5],
  [5, "digit", 5],
  [5, "space", 6],
  [5, "comma", 2],
  [5, "}", finished],
  [6, "comma", 2],
  [6, "}", finished],
];

/** ["left", "right"], ... ] */
const mergeListShape: Shape = [
  [2, "[", 3],
  [3, "quote", 4],
  [4, "comma", 5],
  [5, "quote", 6],
  [6, "]", 7],
  [7, "comma", 2],
  [7, "]", finished],
];

/** "left right", ... ] */
const mergeStringShape: Shape = [
  [2, "quote", 3],
  [3, "comma", 2],
  [3, "]", finished],
];

const quote = 0x22;
const backslash = 0x5c;
const solidus = 0x2f;
const space = 0x20;
const zero = 0x30;
const asciiEnd = 0x80;

/** First bytes of two-byte UTF-8 that the alphabet needs: U+0080 to U+01FF. */
const twoByteFirst = 0xc2;
const twoByteLast = 0xc7;

const initialCapacity = 2 ** 17;

/** Reads the object of tokens and their ids that begins at the cursor. */
export function readVocabularyTokens(json: JsonCursor): TokenList {
  return readTokens(json, vocabularyShape, json.enterObject(), quote);
}

/** Reads the list of merges that begins at the cursor: the two tokens of each, one by one. */
export function readMergeTokens(json: JsonCursor): TokenList {
  const isFilled = json.enterArray();
  if (json.isAtArray) return readTokens(json, mergeListShape, isFilled, quote);
  const list = readTokens(json, mergeStringShape, isFilled, space);
  let start = 0;
  for (let index = 0; index < list.count; index += 2) {
    // The library takes such a line for the head of a merges.txt and leaves it out.
    const isVersion = versionMark.every((byte, offset) => list.bytes[start + offset] === byte);
    requireFeature(!isVersion, "a merge that begins with #version");
    start = list.ends[index + 1] as number;
  }
  return list;
}

const versionMark = new TextEncoder().encode("#version");

/** @param separator ends a token as the closing quote does */
function readTokens(
  json: JsonCursor,
  shape: Shape,
  isFilled: boolean,
  separator: number,
): TokenList {
  const list = new GrowingList(isFilled ? json.bytes.length - json.index : 0);
  if (isFilled) json.index = scan(json.bytes, json.index, nextStates(shape), separator, list);
  return list;
}

/** Next states by state and kind. */
function nextStates(shape: Shape): Uint8Array {
  const table = new Uint8Array(kinds.length * (firstState + shape.length));
  const spaceKind = kinds.indexOf("space");
  for (const [state] of shape) table[kinds.length * state + spaceKind] = state;
  for (const [state, kind, next] of shape) table[kinds.length * state + kinds.indexOf(kind)] = next;
  return table;
}

/** Reads up to the end of the shape; gives the index behind it. */
function scan(
  source: Uint8Array,
  start: number,
  table: Uint8Array,
  separator: number,
  list: GrowingList,
): number {
  const target = list.bytes;
  const tokensInString = separator === quote ? 1 : 2;
  let index = start;
  let state = firstState;
  let stringStart = -1;
  let firstToken = 0;
  let length = 0;
  let hash = emptyHash;
  let number = 0;
  for (;;) {
    let byte = source[index] as number;
    index += 1;
    if (stringStart < 0) {
      const kind = kindOfByte[byte] ?? 0;
      state = table[kinds.length * state + kind] as number;
      if (state <= finished) break;
      if (kind === quoteKind) {
        stringStart = index - 1;
        firstToken = list.count;
        hash = emptyHash;
        number = 0;
      } else if (kind >= zeroKind) {
        number = 10 * number + byte - zero;
        list.setNumber(number);
      }
      continue;
    }
    if (byte === quote || byte === separator) {
      list.add(length, hash);
      hash = emptyHash;
      if (byte !== quote) continue;
      stringStart = -1;
      requireFeature(list.count - firstToken === tokensInString, unevenMerge);
      continue;
    }
    if (byte === backslash) {
      byte = source[index] as number;
      index += 1;
      if (byte !== quote && byte !== backslash && byte !== solidus) byte = notPlain;
    } else if (byte >= asciiEnd) {
      const second = source[index] as number;
      index += 1;
      const isPair = byte >= twoByteFirst && byte <= twoByteLast && (second & 0xc0) === 0x80;
      byte = isPair ? ((byte & 0x1f) << 6) | (second & 0x3f) : notPlain;
    }
    const meant = alphabetBytes[byte] ?? -1;
    if (meant < 0) {
      list.count = firstToken;
      index = list.addAny(source, stringStart, separator);
      requireFeature(list.count - firstToken === tokensInString, unevenMerge);
      length = list.ends[list.count - 1] as number;
      stringStart = -1;
      continue;
    }
    target[length] = meant;
    length += 1;
    hash = hashByte(hash, meant);
  }
  if (state === finished) return index;
  throw new UnsupportedFeatureError(`JSON of another form than expected at byte ${index - 1}`);
}

/** Stands for what is not of the byte alphabet. */
const notPlain = 0xffff;
const unevenMerge = "a merge of other than two tokens";

class GrowingList implements TokenList {
  count = 0;
  /** Memory that is never touched costs nothing: room for as many bytes as there are. */
  readonly bytes: Uint8Array;
  ends = new Int32Array(initialCapacity);
  hashes = new Int32Array(initialCapacity);
  numbers = new Int32Array(initialCapacity);
  readonly others = new Map<number, string>();

  constructor(bytesMax: number) {
    this.bytes = new Uint8Array(bytesMax);
  }

  add(end: number, hash: number): void {
    if (this.count === this.ends.length) {
      this.ends = doubled(this.ends);
      this.hashes = doubled(this.hashes);
      this.numbers = doubled(this.numbers);
    }
    this.ends[this.count] = end;
    this.hashes[this.count] = hash;
    this.count += 1;
  }

  /** The number behind the last token, as far as it was read. */
  setNumber(number: number): void {
    requireFeature(number <= tokenIdMax, `token ids above ${tokenIdMax}`);
    this.numbers[this.count - 1] = number;
  }

  /** Adds the string that starts at `start`, whatever is in it; gives the index behind it. */
  addAny(source: Uint8Array, start: number, separator: number): number {
    const json = new JsonCursor(source);
    json.index = start;
    const text = json.readString();
    const tokens = separator === quote ? [text] : text.split(String.fromCharCode(separator));
    for (const token of tokens) {
      const bytes = bytesOfCharacters(token);
      if (bytes === null) this.others.set(this.count, token);
      const tokenStart = this.ends[this.count - 1] ?? 0;
      const tokenEnd = tokenStart + (bytes?.length ?? 0);
      this.bytes.set(bytes ?? [], tokenStart);
      this.add(tokenEnd, hashBytes(this.bytes, tokenStart, tokenEnd));
    }
    return json.index;
  }
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}
