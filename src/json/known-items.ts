/**
 * What a parser may take over instead of parsing it again: the beginning of an array that repeats
 * from document to document.
 */
import type { JsonValue } from "./values.ts";

/**
 * What the array of one member of the outermost object probably starts with: the same texts as last
 * time. A segment ends right after an item that is an object, and the last one before the bracket.
 */
export interface KnownItems {
  readonly member: string;
  readonly segments: readonly KnownSegment[];
  /** Values of the items, in their order; at least as many as the last segment counts. */
  readonly items: readonly JsonValue[];
  /** Set by the parser: leading segments that stand in the text, whose items were taken over. */
  matchedSegments: number;
}

export interface KnownSegment {
  readonly text: string;
  /** Items of the array up to the end of this segment. */
  readonly itemCount: number;
}
