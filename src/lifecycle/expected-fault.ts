/**
 * Tells what went wrong outside from what is wrong with us: a missing checkpoint or a taken port is
 * told in a sentence, a bug with its stack.
 *
 * Contract   what the language throws by itself and what assert.ts throws is a bug; so is anything
 *            that is no Error. Every other error was thrown with a sentence for its reader.
 */
import { AssertionError } from "../assert.ts";
import { errorText } from "../errors.ts";

const bugs = [TypeError, RangeError, ReferenceError, SyntaxError, URIError, AssertionError];

export function isBug(error: unknown): boolean {
  return !(error instanceof Error) || bugs.some((kind) => error instanceof kind);
}

/** For the log: one line of an expected fault, message and stack of a bug. */
export function faultText(error: unknown): string {
  if (!isBug(error)) return errorText(error).replaceAll(/\s*\n\s*/g, " ");
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
