/**
 * What sets one TITO family apart, as data: a family is one file in families/ and one line in
 * families.ts. Tokens are named by their text and resolved against the checkpoint at start.
 */
import type { JsonObject, JsonValue } from "../json/values.ts";

export type AppendRole = "tool" | "user" | "system" | "assistant";

/** How appended tokens are joined to the stored ids of a generated turn. */
export type BoundaryRule =
  /** As they are. */
  | { readonly kind: "concatenate" }
  /** The model stops at `endOfTurn` and the template writes a line feed after it: add that. */
  | { readonly kind: "complete_line"; readonly endOfTurn: string }
  /**
   * A stop token that also opens the next message: whichever was generated, the template decides.
   */
  | { readonly kind: "drop_opener"; readonly openers: readonly string[] };

/** Tokens that split a sequence into segments for the comparison. */
export type SegmentRule =
  | { readonly kind: "special_tokens"; readonly except: readonly string[] }
  | { readonly kind: "only"; readonly tokens: readonly string[] };

/**
 * The short conversation that an appended run is rendered behind, in place of the whole history;
 * what it renders to alone is cut off again. The last message stands for the last stored one.
 */
export type AppendBase = (stored: readonly JsonObject[]) => JsonObject[];

export interface TitoFamilyDefinition {
  /** Class of the Python original: error texts name it. */
  readonly className: string;
  /** Text of the Jinja template that replaces the checkpoint's; null keeps the checkpoint's. */
  readonly fixedTemplate: string | null;
  /** Template variables that keep renders append-only; a request must not contradict them. */
  readonly requiredKwargs: JsonObject;
  /** Names of one setting: a request that gives one replaces the configured others. */
  readonly kwargAliases: readonly string[];
  /** Adds what the backend must be told and the configuration leaves implicit. */
  readonly completeKwargs: (kwargs: JsonObject) => JsonObject;
  readonly allowedAppendRoles: ReadonlySet<AppendRole>;
  readonly appendBase: AppendBase;
  readonly boundary: BoundaryRule;
  /** Tokens that do not count at the end of a sequence, besides those of the boundary rule. */
  readonly trailingTokens: readonly string[];
  readonly segments: SegmentRule;
  /** What the segments of an assistant start with; null when assistants are not told apart. */
  readonly assistantStart: string | null;
}

export const allAppendRoles: ReadonlySet<AppendRole> = new Set<AppendRole>([
  "tool",
  "user",
  "system",
  "assistant",
]);

export const noKwargs: JsonObject = new Map<string, JsonValue>();
