/**
 * What a child wrote to stderr last, kept to explain its death.
 *
 * Contract   every byte is passed on as it comes; the last lastWordsBytes are kept.
 */
import { lastWordsBytes } from "../limits.ts";

/** Lines that are quoted: an error and where it was thrown. */
const quotedLines = 4;
/** What the runtime signs its crash reports with, and asks for in them: not the cause. */
const courtesies = /^(Bun v|oh no: Bun has crashed|To send a redacted crash report|please file a )/;

export class LastWords {
  #tail = new Uint8Array(0);

  /** Reads `stream` to its end, handing each chunk to `passOn`. */
  async follow(stream: AsyncIterable<Uint8Array>, passOn: (chunk: Uint8Array) => void) {
    for await (const chunk of stream) {
      passOn(chunk);
      const joined = new Uint8Array(this.#tail.byteLength + chunk.byteLength);
      joined.set(this.#tail);
      joined.set(chunk, this.#tail.byteLength);
      this.#tail = joined.slice(-lastWordsBytes);
    }
  }

  /** The last lines as one, "" when there are none. */
  get text(): string {
    const lines = new TextDecoder()
      .decode(this.#tail)
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "" && !courtesies.test(line));
    return lines.slice(-quotedLines).join(" | ");
  }
}
