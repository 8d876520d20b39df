/**
 * Writes the JSON text of one record: stored texts and new bytes between them.
 */
import { type StoredText, TextBuilder } from "./slab.ts";
import type { SlabWriter } from "./slab-writer.ts";

export class RecordText {
  readonly #writer: SlabWriter;
  readonly #text = new TextBuilder();

  constructor(writer: SlabWriter) {
    this.#writer = writer;
  }

  add(text: string): void {
    this.#writer.write(Buffer.from(text), this.#text);
  }

  addBytes(bytes: Uint8Array): void {
    this.#writer.write(bytes, this.#text);
  }

  addText(text: StoredText): void {
    this.#text.addText(text);
  }

  finish(): StoredText {
    return this.#text.finish();
  }
}
