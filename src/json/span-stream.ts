/**
 * The bytes of one document on their way through the span scanner: the chunk that is being read and
 * the place its bytes go to, the skeleton or the sink of a payload.
 *
 * Contract   every byte goes out exactly once and in order; a payload byte is never copied here.
 *            Chunks are only read during start() .. endChunk(); nothing keeps them.
 * Not here   grammar: span-scanner.ts says where a payload begins and ends.
 */
import { noBytes } from "../bytes.ts";
import { SpanSyntaxError } from "./span-error.ts";
import { SpanSkeleton } from "./span-skeleton.ts";

/** Members of `choices[*].meta_info` that are for training only and never reach the client. */
export const replayPayloadNames = ["routed_experts", "indexer_topk"] as const;
export type ReplayPayloadName = (typeof replayPayloadNames)[number];

/** Takes the values of the stripped members, one after the other, in the order of the document. */
export interface PayloadSink {
  begin(choiceIndex: number, name: ReplayPayloadName): void;
  /**
   * Takes the next bytes of the value's JSON text: a view of the pushed chunk, any length from 1.
   *
   * Returns how many of the leading bytes need no check for control characters, because everything
   * of this value up to there equals the beginning of a value that was accepted before. 0 is always
   * right.
   */
  write(bytes: Uint8Array): number;
  end(): void;
}

export class SpanStream {
  readonly skeleton = new SpanSkeleton();
  readonly sink: PayloadSink;
  chunk: Uint8Array = noBytes;
  /** Offset in the document of the chunk's first byte. */
  base = 0;
  /** Whether bytes go to the sink. */
  inPayload = false;
  #passed = 0;
  #payloadBytes = 0;

  constructor(sink: PayloadSink) {
    this.sink = sink;
  }

  start(chunk: Uint8Array): void {
    this.chunk = chunk;
    this.#passed = 0;
  }

  endChunk(): void {
    this.passTo(this.chunk.length);
    this.base += this.chunk.length;
    this.chunk = noBytes;
    this.#passed = 0;
  }

  /** Sends out what lies before `at`; returns what the sink vouches for, 0 for the skeleton. */
  passTo(at: number): number {
    const from = this.#passed;
    if (at <= from) return 0;
    const bytes = this.chunk.subarray(from, at);
    this.#passed = at;
    if (!this.inPayload) {
      this.skeleton.append(bytes);
      return 0;
    }
    this.#payloadBytes += bytes.length;
    return this.sink.write(bytes);
  }

  /** Where in the skeleton the chunk's byte `at` will stand; only outside a payload. */
  skeletonOffset(at: number): number {
    return this.skeleton.length + at - this.#passed;
  }

  beginPayload(choiceIndex: number, name: ReplayPayloadName): void {
    this.inPayload = true;
    this.#payloadBytes = 0;
    this.sink.begin(choiceIndex, name);
  }

  /** Ends the payload before the chunk's byte `at`; returns the bytes of its value. */
  endPayload(at: number): number {
    this.passTo(at);
    this.inPayload = false;
    this.sink.end();
    return this.#payloadBytes;
  }

  /** Reports that the chunk's byte `at` is not what the grammar wants. */
  fail(at: number, expected: string): never {
    throw new SpanSyntaxError(this.base + at, expected);
  }
}
