/**
 * Added tokens: text that is found before the tokenizer's model sees it, as tokenizer.json and
 * tokenizer_config.json write it.
 */
import { CheckpointError } from "./checkpoint-error.ts";

/** The fields of HuggingFace's AddedToken. */
export interface AddedToken {
  readonly content: string;
  readonly special: boolean;
  /** Does not match inside a word. */
  readonly singleWord: boolean;
  /** Takes the white space before it along. */
  readonly leftStrip: boolean;
  /** Takes the white space after it along. */
  readonly rightStrip: boolean;
  /** Is looked for in the normalised text. */
  readonly normalized: boolean;
}

/** A special token of which only the text is known: it is found in the text as it stands. */
export function specialToken(content: string): AddedToken {
  return {
    content,
    special: true,
    singleWord: false,
    leftStrip: false,
    rightStrip: false,
    normalized: false,
  };
}

/**
 * @param where path and place, for the error
 * @throws CheckpointError unless `value` is an object with a `content`
 */
export function parseAddedToken(value: unknown, where: string): AddedToken {
  if (typeof value !== "object" || value === null || !("content" in value)) {
    throw new CheckpointError(`${where} must be an object with "content"`);
  }
  const { content } = value;
  if (typeof content !== "string") {
    throw new CheckpointError(`${where}.content must be a string`);
  }
  const flags: Record<string, unknown> = { ...value };
  const special = flags["special"] === true;
  const normalized = flags["normalized"];
  return {
    content,
    special,
    singleWord: flags["single_word"] === true,
    leftStrip: flags["lstrip"] === true,
    rightStrip: flags["rstrip"] === true,
    normalized: typeof normalized === "boolean" ? normalized : !special,
  };
}

export function sameAddedToken(left: AddedToken, right: AddedToken): boolean {
  return (
    left.content === right.content &&
    left.special === right.special &&
    left.singleWord === right.singleWord &&
    left.leftStrip === right.leftStrip &&
    left.rightStrip === right.rightStrip &&
    left.normalized === right.normalized
  );
}
