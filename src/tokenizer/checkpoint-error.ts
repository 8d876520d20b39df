/**
 * A checkpoint that cannot be used: a file that is missing or broken, or one that asks for what
 * this server does not do. Found at start, before any client; the message names the path and what
 * was expected there.
 */
export class CheckpointError extends Error {
  override readonly name = "CheckpointError";
}
