/**
 * The token ids of one session at every checkpoint, kept once.
 *
 * A checkpoint is the prompt and the completion of one generated turn. The ids of a checkpoint
 * start with those of the one before it, except for at most `maxTrimTokens` at the junction, which
 * a family's boundary rule may drop. So the latest ids are kept whole and each checkpoint only
 * remembers its length and the ids that a later turn may have dropped.
 *
 * The decimal text of the ids, which goes up with every prompt, is kept beside them: a prompt only
 * writes the tail of the checkpoint that it builds on and what it adds.
 *
 * Contract   ids and lengths are in tokens; a rollback restores a checkpoint to the id. No work but
 *            copying memory grows with the history, whatever a family drops.
 * Not here   which checkpoint to go back to: linear-trajectory.ts.
 */
import { assert } from "../assert.ts";
import { KeptBytes } from "./kept-bytes.ts";

interface Checkpoint {
  readonly length: number;
  /** The last ids of the checkpoint, as many as a later turn may drop. */
  readonly tail: readonly number[];
  /** Bytes of the text of the ids before the tail: no later turn changes them. */
  readonly textBytes: number;
}

export class TokenHistory {
  readonly #maxTrimTokens: number;
  readonly #checkpoints: Checkpoint[] = [];
  #ids = new Uint32Array(0);
  #length = 0;
  /** Decimal text of the latest ids without brackets: "1,2,3". */
  readonly #text = new KeptBytes();

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

  /** Their decimal text: "1,2,3". A view that is valid until the next commit. */
  latestText(): Uint8Array {
    return this.#text.view();
  }

  /** What the first `checkpointCount` checkpoints hold, without going back to them. */
  view(checkpointCount: number): { length: number; lastToken: number | undefined } {
    const checkpoint = this.#checkpoints[checkpointCount - 1];
    if (!checkpoint) return { length: 0, lastToken: undefined };
    return { length: checkpoint.length, lastToken: this.#idOf(checkpoint, checkpoint.length - 1) };
  }

  /**
   * Text of a prompt that builds on a checkpoint, in pieces that are valid until the next commit:
   * "1,2,3", the first `checkpointCount` checkpoints without their last `dropLast` ids, then
   * `appended`.
   */
  promptText(
    checkpointCount: number,
    dropLast: number,
    appended: readonly number[],
  ): readonly Uint8Array[] {
    const { textBytes, added } = this.#continuedText(checkpointCount, dropLast, appended);
    return [this.#text.view(textBytes), added];
  }

  /** Makes `base + appended` the new latest checkpoint, with later ones forgotten. */
  commit(checkpointCount: number, dropLast: number, appended: readonly number[]): void {
    assert(dropLast <= this.#maxTrimTokens, "a turn drops more ids than its family allows");
    // With this, no turn ever reaches further back than the tail of an older checkpoint.
    assert(appended.length >= dropLast, "a turn shortens the history");
    const text = this.#continuedText(checkpointCount, dropLast, appended);
    this.#reserve(this.view(checkpointCount).length - dropLast + appended.length);
    this.#text.replaceEnd(text.textBytes, text.added);
    this.#rollback(checkpointCount);
    const length = this.#length - dropLast + appended.length;
    this.#ids.set(appended, this.#length - dropLast);
    this.#length = length;
    const tail = [...this.#ids.subarray(Math.max(0, length - this.#maxTrimTokens), length)];
    const tailText = textOf(tail, tail.length < length);
    const textBytes = this.#text.byteLength - tailText.length;
    this.#checkpoints.push({ length, tail, textBytes });
  }

  #rollback(checkpointCount: number): void {
    if (checkpointCount === this.#checkpoints.length) return;
    this.#checkpoints.length = checkpointCount;
    const checkpoint = this.#checkpoints[checkpointCount - 1];
    this.#length = checkpoint?.length ?? 0;
    if (checkpoint) this.#ids.set(checkpoint.tail, checkpoint.length - checkpoint.tail.length);
  }

  /** A prompt's text: the kept bytes of the latest text, and what stands behind them. */
  #continuedText(
    checkpointCount: number,
    dropLast: number,
    appended: readonly number[],
  ): { textBytes: number; added: Uint8Array } {
    const checkpoint = this.#checkpoints[checkpointCount - 1];
    if (checkpoint === undefined) return { textBytes: 0, added: textOf(appended, false) };
    const { length, tail, textBytes } = checkpoint;
    assert(dropLast <= tail.length, "a prompt drops more ids than its family allows");
    const keptTail = tail.slice(0, tail.length - dropLast);
    const isBehindIds = tail.length < length;
    return { textBytes, added: textOf([...keptTail, ...appended], isBehindIds) };
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

/** Decimal text of ids, which begins with a comma where other ids stand before it. */
function textOf(ids: readonly number[], isBehindIds: boolean): Uint8Array {
  const text = ids.join(",");
  return Buffer.from(isBehindIds && text !== "" ? `,${text}` : text, "latin1");
}
