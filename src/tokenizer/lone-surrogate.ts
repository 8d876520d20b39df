/**
 * Half of a surrogate pair in a text: it is not a character, has no UTF-8 form and so no tokens.
 * (HuggingFace's library would put U+FFFD in its place; Python cannot pass it on at all.)
 */
import { InvalidRequestError } from "../errors.ts";

/** Characters before the lone surrogate that the error quotes. */
const quotedContextLength = 20;

/** @throws InvalidRequestError that names the first lone surrogate and what stands before it */
export function requireWellFormed(text: string): void {
  if (text.isWellFormed()) return;
  const index = text.search(/\p{Surrogate}/u);
  const codeUnit = text.charCodeAt(index).toString(16).toUpperCase();
  const before = text.slice(Math.max(0, index - quotedContextLength), index).toWellFormed();
  throw new InvalidRequestError(
    `the prompt contains the lone surrogate U+${codeUnit} after ${JSON.stringify(before)}: ` +
      "half of a surrogate pair is not a character and has no tokens",
  );
}
