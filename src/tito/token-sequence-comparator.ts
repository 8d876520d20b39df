/**
 * Where the stored token ids of a session differ from a fresh render of its messages.
 *
 * Both sequences are cut at the segmenting tokens: each of these is a segment, and so is each run
 * between them. Segments are compared pairwise, special ones by id and others by decoded text, so
 * another tokenization of the same text is no mismatch. What an assistant said may differ, since
 * it was sampled and not rendered; anything else that differs is an error of the account.
 *
 * Contract   work grows with both sequences, but only segments with different ids are decoded. The
 *            work is done in turns with the rest of the process, a segment's text at a time.
 */
import { eventLoopTurn } from "../event-loop.ts";
import type { Tokenizer } from "../tokenizer/tokenizer.ts";

export type MismatchType =
  | "special_token_count"
  | "special_token_type"
  | "non_assistant_text"
  | "assistant_text";

/** Member names as they go into the metadata of a session. */
export interface Mismatch {
  readonly type: MismatchType;
  /** -1 when the sequences cannot be aligned. */
  readonly segment_index: number;
  readonly expected_text: string;
  readonly actual_text: string;
  readonly detail: string;
}

export interface ComparatorOptions {
  readonly tokenizer: Tokenizer;
  readonly segmenting: ReadonlySet<number>;
  /** Ids that do not count at the end of either sequence. */
  readonly trailing: ReadonlySet<number>;
  /** What the segments of an assistant start with, marker included; null tells none apart. */
  readonly assistantStart: string | null;
}

/** Ids of tokens. */
export type TokenSequence = readonly number[] | Uint32Array;

/** A piece of a sequence, the ids at `start` up to `end`. */
interface Segment {
  readonly special: boolean;
  readonly sequence: TokenSequence;
  readonly start: number;
  readonly end: number;
}

/** Ids that are looked at, or decoded, in one turn of the event loop. */
const turnTokens = 2 ** 15;

/** Tokens of a segment that may hold the name of a role. */
const roleTokensMax = 20;

export async function compareTokenSequences(
  options: ComparatorOptions,
  expected: TokenSequence,
  actual: TokenSequence,
): Promise<Mismatch[]> {
  const expectedEnd = endBeforeTrailing(expected, options.trailing);
  const actualEnd = endBeforeTrailing(actual, options.trailing);
  if (await isEqualUpTo(expected, expectedEnd, actual, actualEnd)) return [];
  const expectedSegments = await cut(expected, expectedEnd, options.segmenting);
  const actualSegments = await cut(actual, actualEnd, options.segmenting);
  const difference = structureDifference(expectedSegments, actualSegments);
  if (difference !== null) {
    return [
      {
        type: "special_token_count",
        segment_index: -1,
        expected_text: await describeStructure(options.tokenizer, expectedSegments),
        actual_text: await describeStructure(options.tokenizer, actualSegments),
        detail: difference,
      },
    ];
  }
  return compareSegments(options, expectedSegments, actualSegments);
}

/** @param actual as many as `expected`, and special where these are */
async function compareSegments(
  options: ComparatorOptions,
  expected: readonly Segment[],
  actual: readonly Segment[],
): Promise<Mismatch[]> {
  const mismatches: Mismatch[] = [];
  let turnEnd = turnTokens;
  for (const [index, segment] of expected.entries()) {
    const other = actual[index];
    if (segment.end > turnEnd) {
      await eventLoopTurn();
      turnEnd = segment.end + turnTokens;
    }
    if (!other || sameIds(segment, other)) continue;
    const expectedText = await options.tokenizer.decode(idsOf(segment));
    const actualText = await options.tokenizer.decode(idsOf(other));
    if (!segment.special && expectedText === actualText) continue;
    const isAssistant =
      (await isAssistantText(options, expected, index)) &&
      (await isAssistantText(options, actual, index));
    const textType = isAssistant ? "assistant_text" : "non_assistant_text";
    mismatches.push({
      type: segment.special ? "special_token_type" : textType,
      segment_index: index,
      expected_text: expectedText,
      actual_text: actualText,
      detail: "",
    });
  }
  return mismatches;
}

function endBeforeTrailing(ids: TokenSequence, trailing: ReadonlySet<number>): number {
  return ids.findLastIndex((id) => !trailing.has(id)) + 1;
}

async function isEqualUpTo(
  expected: TokenSequence,
  expectedEnd: number,
  actual: TokenSequence,
  actualEnd: number,
): Promise<boolean> {
  if (expectedEnd !== actualEnd) return false;
  for (let index = 0; index < expectedEnd; index++) {
    if (index % turnTokens === turnTokens - 1) await eventLoopTurn();
    if (expected[index] !== actual[index]) return false;
  }
  return true;
}

async function cut(
  sequence: TokenSequence,
  sequenceEnd: number,
  segmenting: ReadonlySet<number>,
): Promise<Segment[]> {
  const segments: Segment[] = [];
  let start = 0;
  const endRun = (end: number) => {
    if (end > start) segments.push({ special: false, sequence, start, end });
  };
  for (let index = 0; index < sequenceEnd; index++) {
    if (index % turnTokens === turnTokens - 1) await eventLoopTurn();
    if (!segmenting.has(sequence[index] as number)) continue;
    endRun(index);
    segments.push({ special: true, sequence, start: index, end: index + 1 });
    start = index + 1;
  }
  endRun(sequenceEnd);
  return segments;
}

function idsOf({ sequence, start, end }: Segment, count = end - start): readonly number[] {
  return Array.from(sequence.slice(start, Math.min(end, start + count)));
}

function structureDifference(
  expected: readonly Segment[],
  actual: readonly Segment[],
): string | null {
  if (expected.length !== actual.length) {
    return `segment count differs: expected ${expected.length}, got ${actual.length}`;
  }
  const samePattern = expected.every(
    (segment, index) => segment.special === actual[index]?.special,
  );
  return samePattern ? null : "segment structure (special/content pattern) differs";
}

function sameIds(left: Segment, right: Segment): boolean {
  const length = left.end - left.start;
  if (length !== right.end - right.start) return false;
  for (let index = 0; index < length; index++) {
    const id = left.sequence[left.start + index];
    if (id !== right.sequence[right.start + index]) return false;
  }
  return true;
}

/** Whether a run follows a marker with which it begins like an assistant's. */
async function isAssistantText(
  options: ComparatorOptions,
  segments: readonly Segment[],
  index: number,
): Promise<boolean> {
  const segment = segments[index];
  const marker = segments[index - 1];
  if (options.assistantStart === null || !segment || segment.special || !marker?.special) {
    return false;
  }
  const markerText = await options.tokenizer.decode(idsOf(marker));
  const roleText = await options.tokenizer.decode(idsOf(segment, roleTokensMax));
  return (markerText + roleText).startsWith(options.assistantStart);
}

/** "[<|im_start|>] (5 tokens) [<|im_end|>]" */
async function describeStructure(
  tokenizer: Tokenizer,
  segments: readonly Segment[],
): Promise<string> {
  const texts = new Map<number, string>();
  const parts: string[] = [];
  for (const { special, sequence, start, end } of segments) {
    const id = sequence[start];
    if (!special || id === undefined) {
      parts.push(`(${end - start} tokens)`);
      continue;
    }
    const text = texts.get(id) ?? (await tokenizer.decode([id]));
    texts.set(id, text);
    parts.push(`[${text}]`);
  }
  return parts.join(" ");
}
