/**
 * Where the stored token ids of a session differ from a fresh render of its messages.
 *
 * Both sequences are cut at the segmenting tokens: each of these is a segment, and so is each run
 * between them. Segments are compared pairwise, special ones by id and others by decoded text, so
 * another tokenization of the same text is no mismatch. What an assistant said may differ, since
 * it was sampled and not rendered; anything else that differs is an error of the account.
 *
 * Contract   work grows with both sequences, but only segments with different ids are decoded.
 */
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

interface Segment {
  readonly special: boolean;
  readonly ids: readonly number[];
}

/** Tokens of a segment that may hold the name of a role. */
const roleTokensMax = 20;

export async function compareTokenSequences(
  options: ComparatorOptions,
  expected: readonly number[],
  actual: readonly number[],
): Promise<Mismatch[]> {
  const expectedSegments = cut(withoutTrailing(expected, options.trailing), options.segmenting);
  const actualSegments = cut(withoutTrailing(actual, options.trailing), options.segmenting);
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
  const mismatches: Mismatch[] = [];
  for (const [index, segment] of expectedSegments.entries()) {
    const other = actualSegments[index];
    if (!other || sameIds(segment.ids, other.ids)) continue;
    const expectedText = await options.tokenizer.decode(segment.ids);
    const actualText = await options.tokenizer.decode(other.ids);
    if (!segment.special && expectedText === actualText) continue;
    const isAssistant =
      (await isAssistantText(options, expectedSegments, index)) &&
      (await isAssistantText(options, actualSegments, index));
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

function withoutTrailing(ids: readonly number[], trailing: ReadonlySet<number>) {
  return ids.slice(0, ids.findLastIndex((id) => !trailing.has(id)) + 1);
}

function cut(ids: readonly number[], segmenting: ReadonlySet<number>): Segment[] {
  const segments: Segment[] = [];
  let start = 0;
  const endRun = (end: number) => {
    if (end > start) segments.push({ special: false, ids: ids.slice(start, end) });
  };
  for (const [index, id] of ids.entries()) {
    if (!segmenting.has(id)) continue;
    endRun(index);
    segments.push({ special: true, ids: [id] });
    start = index + 1;
  }
  endRun(ids.length);
  return segments;
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

function sameIds(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((id, index) => id === right[index]);
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
  const markerText = await options.tokenizer.decode(marker.ids);
  const roleText = await options.tokenizer.decode(segment.ids.slice(0, roleTokensMax));
  return (markerText + roleText).startsWith(options.assistantStart);
}

/** "[<|im_start|>] (5 tokens) [<|im_end|>]" */
async function describeStructure(
  tokenizer: Tokenizer,
  segments: readonly Segment[],
): Promise<string> {
  const texts = new Map<number, string>();
  const parts: string[] = [];
  for (const { special, ids } of segments) {
    const [id] = ids;
    if (!special || id === undefined) {
      parts.push(`(${ids.length} tokens)`);
      continue;
    }
    const text = texts.get(id) ?? (await tokenizer.decode(ids));
    texts.set(id, text);
    parts.push(`[${text}]`);
  }
  return parts.join(" ");
}
