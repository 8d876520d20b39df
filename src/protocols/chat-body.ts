/**
 * The body of a chat completion request that a translation made.
 *
 * Reports    InvalidRequestError for half of a surrogate pair, which UTF-8 cannot say: in chat, the
 *            client's own escape goes on and is refused with its place.
 */
import { InvalidRequestError } from "../errors.ts";
import { writeJson } from "../json/lossless.ts";
import type { JsonObject } from "../json/values.ts";

export function chatBodyOf(chat: JsonObject): Uint8Array {
  const text = writeJson(chat);
  if (text.isWellFormed()) return Buffer.from(text);
  throw new InvalidRequestError(
    "the request contains a lone surrogate: half of a surrogate pair is not a character",
  );
}
