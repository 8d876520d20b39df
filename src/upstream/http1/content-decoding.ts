/**
 * Bodies that a backend compressed although identity was asked for.
 *
 * Contract   inflates while the body streams: gzip, deflate (in zlib's format), br, zstd, one of
 *            them. Memory is bounded by the reader's pace; return() cancels the body beneath.
 * Reports    UpstreamError for any other coding, and by the body for bytes that do not inflate.
 */
import { pipeline, Readable } from "node:stream";
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from "node:zlib";
import { UpstreamError } from "../../errors.ts";
import type { HeaderList } from "../../operation.ts";
import { releaseIterator } from "../../stream-body.ts";
import { transportError } from "../transport-error.ts";

/** What node:zlib makes for any of the codings. */
type Decompressor = ReturnType<typeof createGunzip>;

const decompressors: ReadonlyMap<string, () => Decompressor> = new Map<string, () => Decompressor>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
  ["zstd", createZstdDecompress],
]);

/** The coding of a body, lower-case; null when it has none. */
export function contentCoding(headers: HeaderList): string | null {
  const codings = headers
    .filter(([name]) => name === "content-encoding")
    .flatMap(([, value]) => value.split(","))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  return codings.length === 0 ? null : codings.join(", ");
}

/** The body without its coding; a body whose coding is unknown is cancelled. */
export function decodedBody(
  coding: string,
  body: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  const create = decompressors.get(coding);
  if (create === undefined) {
    releaseIterator(body[Symbol.asyncIterator]());
    const known = [...decompressors.keys()].join(", ");
    throw new UpstreamError(
      `backend transport error: content coding ${JSON.stringify(coding)}; expected none, or one ` +
        `of ${known}`,
    );
  }
  const decompressor = create();
  // What fails on the way destroys the decompressor, and so reaches the reader.
  pipeline(Readable.from(body, { objectMode: false }), decompressor, () => {});
  return new DecodedBody(decompressor);
}

class DecodedBody implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #decompressor: Decompressor;
  readonly #chunks: AsyncIterator<Uint8Array>;

  constructor(decompressor: Decompressor) {
    this.#decompressor = decompressor;
    this.#chunks = decompressor[Symbol.asyncIterator]();
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    try {
      return await this.#chunks.next();
    } catch (error) {
      throw transportError(error);
    }
  }

  /** Not left to the iterator of the stream, which does nothing before its first next(). */
  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#decompressor.destroy();
    return { done: true, value: undefined };
  }
}
