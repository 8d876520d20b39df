/**
 * Memory for stored bytes: a slab is filled from the front, an extent is a piece of it.
 */

export class Slab {
  /** The whole capacity; empty once freed. */
  readonly bytes: Buffer<ArrayBuffer>;
  readonly capacity: number;
  /** The stream whose new bytes it takes, or null for all that belongs to none. */
  readonly stream: string | null;
  /** Bytes written from the front; what lies behind may be overwritten. */
  used = 0;
  /** Stored records that have an extent in it. */
  references = 0;
  /** Whether a writer owns its free end. */
  claimed = false;
  /** Bytes from the front that a dump has handed out, so that they are never written again. */
  handedOut = 0;

  constructor(capacity: number, stream: string | null = null) {
    this.bytes = Buffer.allocUnsafeSlow(capacity);
    this.capacity = capacity;
    this.stream = stream;
  }

  /** Gives the memory back now instead of at the next garbage collection. */
  free(): void {
    this.bytes.buffer.transfer(0);
  }
}

/** The bytes `start` .. `end` of a slab; never changes, and may belong to many texts. */
export interface Extent {
  readonly slab: Slab;
  readonly start: number;
  readonly end: number;
}

/** Stored bytes: the extents one after the other. */
export interface StoredText {
  readonly extents: readonly Extent[];
  readonly byteLength: number;
}

/** Puts a text together; neighbouring extents become one. */
export class TextBuilder {
  readonly #extents: Extent[] = [];
  #byteLength = 0;

  add(extent: Extent): void {
    const last = this.#extents.at(-1);
    this.#byteLength += extent.end - extent.start;
    if (last !== undefined && last.slab === extent.slab && last.end === extent.start) {
      this.#extents[this.#extents.length - 1] = { ...last, end: extent.end };
    } else {
      this.#extents.push(extent);
    }
  }

  addText(text: StoredText): void {
    for (const extent of text.extents) this.add(extent);
  }

  finish(): StoredText {
    return { extents: this.#extents, byteLength: this.#byteLength };
  }
}
