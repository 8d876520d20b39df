/**
 * The token ids of one session at every checkpoint, kept once.
 *
 * A checkpoint is the prompt and the completion of one generated turn. The ids of a checkpoint
 * start with those of the one before it, except for at most `maxTrimTokens` at the junction, which
 * a family's boundary rule may drop. So the latest ids are kept whole and each checkpoint only
 * remembers its length and the ids that a later turn may have dropped.
 *
 * Contract   ids and lengths are in tokens; a rollback restores a checkpoint to the id.
 * Not here   which checkpoint to go back to: linear-trajectory.ts.
 */
import { assert } from "../assert.ts";

interface Checkpoint {
  readonly length: number;
  /** The last ids of the checkpoint, as many as a later turn may drop. */
  readonly tail: readonly number[];
}

export class TokenHistory {
  readonly #maxTrimTokens: number;
  readonly #checkpoints: Checkpoint[] = [];
  #ids = new Uint32Array(0);
  #length = 0;
  /** Decimal text of the latest ids without brackets; null after a rollback, until it is needed. */
  #text: string | null = "";

  constructor(maxTrimTokens: number) {
    this.#maxTrimTokens = maxTrimTokens;
  }

  /** Checkpoints, which is generated turns. */
  get checkpointCount(): number {
    return this.#checkpoints.length;
  }

  /** Count of the latest checkpoint's ids. */
  get latestLength(): number {
    return this.#length;
  }

  /** Ids of the latest checkpoint; empty before the first turn. */
  latest(): Uint32Array {
    return this.#ids.slice(0, this.#length);
  }

  /** What the first `checkpointCount` checkpoints hold, without going back to them. */
  view(checkpointCount: number): { length: number; lastToken: number | undefined } {
    const checkpoint = this.#checkpoints[checkpointCount - 1];
    if (!checkpoint) return { length: 0, lastToken: undefined };
    return { length: checkpoint.length, lastToken: this.#idOf(checkpoint, checkpoint.length - 1) };
  }

  /**
   * Text of a prompt that builds on a checkpoint: "1,2,3", the first `checkpointCount` checkpoints
   * without their last `dropLast` ids, then `appended`.
   */
  promptText(checkpointCount: number, dropLast: number, appended: readonly number[]): string {
    const base = this.#baseText(checkpointCount, dropLast);
    const added = appended.join(",");
    if (base === "" || added === "") return base + added;
    return `${base},${added}`;
  }

  /** Makes `base + appended` the new latest checkpoint, with later ones forgotten. */
  commit(checkpointCount: number, dropLast: number, appended: readonly number[]): void {
    assert(dropLast <= this.#maxTrimTokens, "a turn drops more ids than its family allows");
    // With this, no turn ever reaches further back than the tail of an older checkpoint.
    assert(appended.length >= dropLast, "a turn shortens the history");
    const text = this.promptText(checkpointCount, dropLast, appended);
    this.#reserve(this.view(checkpointCount).length - dropLast + appended.length);
    this.#rollback(checkpointCount);
    const length = this.#length - dropLast + appended.length;
    this.#ids.set(appended, this.#length - dropLast);
    this.#length = length;
    this.#text = text;
    const tailStart = Math.max(0, length - this.#maxTrimTokens);
    this.#checkpoints.push({ length, tail: [...this.#ids.subarray(tailStart, length)] });
  }

  #rollback(checkpointCount: number): void {
    if (checkpointCount === this.#checkpoints.length) return;
    this.#checkpoints.length = checkpointCount;
    const checkpoint = this.#checkpoints[checkpointCount - 1];
    this.#length = checkpoint?.length ?? 0;
    if (checkpoint) this.#ids.set(checkpoint.tail, checkpoint.length - checkpoint.tail.length);
    this.#text = null;
  }

  #baseText(checkpointCount: number, dropLast: number): string {
    const isLatest = checkpointCount === this.#checkpoints.length;
    if (isLatest && dropLast === 0 && this.#text !== null) return this.#text;
    const ids = this.#idsAt(checkpointCount);
    const text = ids.subarray(0, ids.length - dropLast).join(",");
    if (isLatest && dropLast === 0) this.#text = text;
    return text;
  }

  #idsAt(checkpointCount: number): Uint32Array {
    const checkpoint = this.#checkpoints[checkpointCount - 1];
    if (!checkpoint) return new Uint32Array(0);
    const ids = this.#ids.slice(0, checkpoint.length);
    ids.set(checkpoint.tail, checkpoint.length - checkpoint.tail.length);
    return ids;
  }

  #idOf(checkpoint: Checkpoint, index: number): number | undefined {
    const tailStart = checkpoint.length - checkpoint.tail.length;
    return index >= tailStart ? checkpoint.tail[index - tailStart] : this.#ids[index];
  }

  #reserve(length: number): void {
    if (length <= this.#ids.length) return;
    const grown = new Uint32Array(Math.max(length, this.#ids.length * 1.5, 256));
    grown.set(this.#ids.subarray(0, this.#length));
    this.#ids = grown;
  }
}
