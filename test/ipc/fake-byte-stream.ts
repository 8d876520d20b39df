/** Byte streams in memory: what protocol code is tested on without a socket. */
import type { ByteStream, ByteStreamHandlers, ByteStreamOwner } from "../../src/ipc/byte-stream.ts";

/** Records what is written; takes at most `room` bytes until more is given. */
export class FakeByteStream implements ByteStream {
  readonly writes: Uint8Array[] = [];
  room = Number.POSITIVE_INFINITY;
  paused = false;
  isClosed = false;

  write(bytes: Uint8Array): number {
    if (this.isClosed) return -1;
    const taken = Math.min(this.room, bytes.byteLength);
    this.room -= taken;
    // A socket copies: the writer may do what it wants with its bytes afterwards.
    if (taken > 0) this.writes.push(bytes.slice(0, taken));
    return taken;
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
  }

  close(): void {
    this.isClosed = true;
  }

  get written(): Uint8Array {
    return concat(this.writes);
  }
}

/** One end of a pair: what it writes the other end receives in a later task, in chunks. */
class PairedByteStream implements ByteStream {
  peer: PairedByteStream | null = null;
  owner: ByteStreamHandlers | null = null;
  readonly #chunkBytes: () => number;
  #paused = false;
  #open = true;
  readonly #arrived: Uint8Array[] = [];

  constructor(chunkBytes: () => number) {
    this.#chunkBytes = chunkBytes;
  }

  write(bytes: Uint8Array): number {
    if (!this.#open || this.peer === null) return -1;
    if (bytes.byteLength === 0 || this.peer.#paused) return 0;
    const taken = Math.min(this.#chunkBytes(), bytes.byteLength);
    this.peer.#arrived.push(bytes.slice(0, taken));
    setImmediate(() => {
      this.peer?.deliver();
      if (taken < bytes.byteLength && this.#open) this.owner?.drained();
    });
    return taken;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    setImmediate(() => {
      this.deliver();
      this.peer?.owner?.drained();
    });
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    setImmediate(() => {
      this.owner?.closed(null);
      this.peer?.deliver();
      this.peer?.close();
    });
  }

  deliver(): void {
    while (!this.#paused && this.#open) {
      const chunk = this.#arrived.shift();
      if (chunk === undefined) return;
      this.owner?.received(chunk);
    }
  }
}

/** Two owners connected in memory; chunks are of the sizes that `chunkBytes` gives. */
export function connectInMemory<A extends ByteStreamHandlers, B extends ByteStreamHandlers>(
  ownerA: ByteStreamOwner<A>,
  ownerB: ByteStreamOwner<B>,
  chunkBytes: () => number = () => 64 * 1024,
): { a: A; b: B; streamA: ByteStream; streamB: ByteStream } {
  const streamA = new PairedByteStream(chunkBytes);
  const streamB = new PairedByteStream(chunkBytes);
  streamA.peer = streamB;
  streamB.peer = streamA;
  // The owner of A may write while it is made: B must be there to receive it.
  const b = ownerB(streamB);
  streamB.owner = b;
  const a = ownerA(streamA);
  streamA.owner = a;
  return { a, b, streamA, streamB };
}

export function concat(slices: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(slices));
}
