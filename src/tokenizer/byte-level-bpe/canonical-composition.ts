/**
 * NFC as the Rust tokenizers library does it: with the tables of its time, in which newer
 * characters neither compose nor move.
 *
 * Contract   characters of those tables normalise as they did then, as Unicode's stability policy
 *            promises for any later `normalize()`; all others are left out of its sight.
 */
import { canonicalComposition } from "./unicode-tables.ts";

/** Code units that text may need to change at all; most texts have none. */
const combining = /[\u0300-\uffff]/;

export class CanonicalComposition {
  readonly #changing: RegExp;
  /** The longest text that may change: a character to compose with, and what follows it. */
  readonly #run: RegExp;

  constructor() {
    const { changing, leading } = canonicalComposition();
    const changingClass = changing.characterClass();
    this.#changing = new RegExp(changingClass, "u");
    this.#run = new RegExp(`${leading.characterClass()}?${changingClass}+`, "gu");
  }

  normalize(text: string): string {
    if (!combining.test(text) || !this.#changing.test(text)) return text;
    return text.replace(this.#run, (run) => run.normalize("NFC"));
  }
}
