/**
 * Failures on the way to the backend, as the client of a turn reads them.
 */
import { errorText, UpstreamError } from "../errors.ts";

/** The failure of a request or of a body that broke off, in the words of the original. */
export function transportError(error: unknown): UpstreamError {
  if (error instanceof UpstreamError) return error;
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string"
      ? error.code
      : "Error";
  const text =
    code === "EMFILE"
      ? "this server has as many files open as it may (ulimit -n)"
      : errorText(error);
  const reason = text.startsWith(code) ? text : `${code}: ${text}`;
  return new UpstreamError(`backend transport error: ${reason}`, { cause: error });
}
