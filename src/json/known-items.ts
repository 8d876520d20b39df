/**
 * The beginning of an array that repeats from document to document: where its bytes stand again,
 * they are neither decoded nor parsed again.
 *
 * Contract   finding them only compares bytes. What stands behind them is parsed as if they had
 *            been: see CutItems.
 */
import type { JsonValue } from "./values.ts";

/**
 * What the array of one member of the outermost object probably starts with: the same texts as last
 * time. A segment ends right after an item that is an object, and the last one before the bracket.
 */
export interface KnownItems {
  readonly member: string;
  /** UTF-8 of the segments, one behind the other; may be longer. */
  readonly bytes: Uint8Array;
  readonly segments: readonly KnownSegment[];
  /** Values of the items, in their order; at least as many as the last segment counts. */
  readonly items: readonly JsonValue[];
  /** Set by the reader: leading segments that stand in the text, whose items were taken over. */
  matchedSegments: number;
}

export interface KnownSegment {
  /** Index into `bytes` behind the segment. */
  readonly end: number;
  /** Items of the array up to the end of this segment. */
  readonly itemCount: number;
}

/**
 * Known items that were cut out of a text, from behind the array's bracket up to the end of the
 * last one: the parser puts them back where they stood.
 */
export interface CutItems {
  readonly member: string;
  /** UTF-16 index of the array's bracket in the text that is left. */
  readonly index: number;
  readonly items: readonly JsonValue[];
  /** Set by the parser: whether the array is the one that the member has. */
  isTaken: boolean;
}

/** Where known segments stand in a document. */
export interface KnownPlace {
  /** Index of the array's first byte. */
  readonly start: number;
  /** Index behind the last known byte. */
  readonly end: number;
  /** Leading segments that stand there; at least one. */
  readonly segmentCount: number;
}

/** The bytes of the known segments that a document repeats. */
export function matchedBytes({ bytes, segments, matchedSegments }: KnownItems): Uint8Array {
  return bytes.subarray(0, segments[matchedSegments - 1]?.end ?? 0);
}

/**
 * Looks for the known segments behind each text that may be the member's name; null when they are
 * not there. Whether it is the name, only a parser can tell.
 */
export function findKnownItems(document: Uint8Array, known: KnownItems): KnownPlace | null {
  if (known.segments.length === 0) return null;
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.byteLength);
  const name = JSON.stringify(known.member);
  let index = bytes.indexOf(name);
  while (index >= 0) {
    index += name.length;
    const start = valueStart(bytes, index);
    const segmentCount = start === null ? 0 : leadingSegments(bytes, start, known);
    if (start !== null && segmentCount > 0) {
      const length = known.segments[segmentCount - 1]?.end ?? 0;
      return { start, end: start + length, segmentCount };
    }
    index = bytes.indexOf(name, index);
  }
  return null;
}

const colon = 0x3a;

/** Index of what follows a colon; null when there is none. */
function valueStart(bytes: Uint8Array, nameEnd: number): number | null {
  const colonAt = skipSpace(bytes, nameEnd);
  return bytes[colonAt] === colon ? skipSpace(bytes, colonAt + 1) : null;
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let index = from;
  while (isSpace(bytes[index])) index += 1;
  return index;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Leading segments that stand at `start`: mostly all, so these are compared at once. */
function leadingSegments(bytes: Buffer, start: number, known: KnownItems): number {
  const { segments } = known;
  const all = segments.at(-1)?.end ?? 0;
  if (isAt(bytes, start, known.bytes, 0, all)) return segments.length;
  let from = 0;
  for (const [index, { end }] of segments.entries()) {
    if (!isAt(bytes, start + from, known.bytes, from, end)) return index;
    from = end;
  }
  return segments.length;
}

/** Whether `wanted[from]` to `wanted[end - 1]` stand at `index`. */
function isAt(
  bytes: Buffer,
  index: number,
  wanted: Uint8Array,
  from: number,
  end: number,
): boolean {
  const indexEnd = index + end - from;
  return indexEnd <= bytes.length && bytes.compare(wanted, from, end, index, indexEnd) === 0;
}
