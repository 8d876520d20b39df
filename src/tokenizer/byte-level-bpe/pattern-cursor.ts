/** Walks through the text of a regular expression, character by character. */

export class PatternCursor {
  readonly #characters: readonly string[];
  #index = 0;

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  get isAtEnd(): boolean {
    return this.#index === this.#characters.length;
  }

  /** The next character; "" at the end. */
  get next(): string {
    return this.#characters[this.#index] ?? "";
  }

  startsWith(text: string): boolean {
    return this.#characters.slice(this.#index, this.#index + text.length).join("") === text;
  }

  take(): string {
    const character = this.next;
    this.#index += 1;
    return character;
  }

  /** Takes `text` if it stands here. */
  takeIf(text: string): boolean {
    const isHere = this.startsWith(text);
    if (isHere) this.#index += text.length;
    return isHere;
  }

  /** Takes what stands before `end`, and `end`; null when it does not come. */
  takeUntil(end: string): string | null {
    const at = this.#characters.indexOf(end, this.#index);
    if (at < 0) return null;
    const text = this.#characters.slice(this.#index, at).join("");
    this.#index = at + 1;
    return text;
  }
}
