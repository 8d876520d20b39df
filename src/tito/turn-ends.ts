/**
 * How the ids of a generated turn end, made from a render of it: the inverse of the family's
 * boundary rule.
 */
import type { Checkpoint } from "../tokenizer/checkpoint.ts";
import type { TitoFamilyDefinition } from "./family.ts";

/** From the ids of a rendered history to the ids as the model leaves them. */
export type TurnEnd = (history: readonly number[]) => readonly number[];

/** Every way in which a turn may end; at least one. */
export function turnEnds(definition: TitoFamilyDefinition, checkpoint: Checkpoint): TurnEnd[] {
  const rule = definition.boundary;
  switch (rule.kind) {
    case "concatenate":
      return [(history) => history];
    case "complete_line": {
      const endOfTurn = checkpoint.tokenizer.tokenId(rule.endOfTurn);
      const isEnded = (history: readonly number[]) => history.at(-2) === endOfTurn;
      return [(history) => (isEnded(history) ? history.slice(0, -1) : history)];
    }
    case "drop_opener": {
      const ids = rule.openers.flatMap((text) => checkpoint.tokenizer.tokenId(text) ?? []);
      return ids.map((id) => (history) => [...history, id]);
    }
  }
}
