/**
 * The tokens that a family names, as ids of one checkpoint.
 *
 * Reports    CheckpointError when the checkpoint's tokenizer lacks one: the family is the wrong
 *            one.
 */
import type { Checkpoint } from "../tokenizer/checkpoint.ts";
import { CheckpointError } from "../tokenizer/checkpoint-error.ts";
import type { BoundaryRule, SegmentRule, TitoFamilyDefinition } from "./family.ts";

/** What a boundary rule does with the stored ids before appended tokens follow. */
export interface Junction {
  /** Ids to leave out at the end of the stored ones. */
  readonly dropLast: number;
  /** Ids to put between. */
  readonly tokens: readonly number[];
}

export interface FamilyTokens {
  /** @param lastToken last stored id; undefined when there is none */
  junctionAfter(lastToken: number | undefined): Junction;
  /** The most ids that a junction drops. */
  readonly maxTrimTokens: number;
  /** Ids that do not count at the end of a sequence. */
  readonly trailing: ReadonlySet<number>;
  /** Ids that split a sequence into segments. */
  readonly segmenting: ReadonlySet<number>;
}

const plainJunction: Junction = { dropLast: 0, tokens: [] };

const familyConflict = {
  setting: "titoModel",
  relation: { kind: "conflicts with", other: "hfCheckpoint" },
} as const;

/** @throws CheckpointError */
export function resolveFamilyTokens(
  definition: TitoFamilyDefinition,
  familyName: string,
  checkpoint: Checkpoint,
): FamilyTokens {
  const resolve = (text: string): number => {
    const id = checkpoint.tokenizer.tokenId(text);
    if (id !== undefined) return id;
    throw new CheckpointError(
      `checkpoint ${checkpoint.name} has no token ${text}, which the TITO family ` +
        `"${familyName}" needs: choose the family of the model, or "default"`,
      familyConflict,
    );
  };
  const trailing = new Set(definition.trailingTokens.map(resolve));
  const segmenting = segmentingTokens(definition.segments, checkpoint, resolve);
  return { ...boundaryTokens(definition.boundary, checkpoint, resolve, trailing), segmenting };
}

function boundaryTokens(
  rule: BoundaryRule,
  checkpoint: Checkpoint,
  resolve: (text: string) => number,
  trailing: ReadonlySet<number>,
): Omit<FamilyTokens, "segmenting"> {
  switch (rule.kind) {
    case "concatenate":
      return { junctionAfter: () => plainJunction, maxTrimTokens: 0, trailing };
    case "complete_line": {
      const endOfTurn = resolve(rule.endOfTurn);
      const lineFeed = singleLineFeed(checkpoint);
      const completed: Junction = { dropLast: 0, tokens: [lineFeed] };
      return {
        junctionAfter: (last) => (last === endOfTurn ? completed : plainJunction),
        maxTrimTokens: 0,
        trailing: new Set([...trailing, lineFeed]),
      };
    }
    case "drop_opener": {
      const openers = new Set(rule.openers.map(resolve));
      const dropped: Junction = { dropLast: 1, tokens: [] };
      return {
        junctionAfter: (last) =>
          last !== undefined && openers.has(last) ? dropped : plainJunction,
        maxTrimTokens: 1,
        trailing: new Set([...trailing, ...openers]),
      };
    }
  }
}

function singleLineFeed(checkpoint: Checkpoint): number {
  const [lineFeed, ...more] = checkpoint.lineFeedTokens;
  if (lineFeed !== undefined && more.length === 0) return lineFeed;
  throw new CheckpointError(
    `checkpoint ${checkpoint.name} writes a line feed as ${checkpoint.lineFeedTokens.length} ` +
      "tokens: the TITO family needs one",
    familyConflict,
  );
}

function segmentingTokens(
  rule: SegmentRule,
  checkpoint: Checkpoint,
  resolve: (text: string) => number,
): ReadonlySet<number> {
  if (rule.kind === "only") return new Set(rule.tokens.map(resolve));
  const segmenting = new Set(checkpoint.tokenizer.specialTokenIds);
  for (const text of rule.except) segmenting.delete(resolve(text));
  return segmenting;
}
