/**
 * Text that looks like what agents send, with an exact number of tokens.
 *
 * Contract   a text follows from the seed and the calls before it. Its token count is the one that
 *            the tokenizer gives the text alone.
 * Not here   what the texts are used for: conversation.ts.
 */
import type { Tokenizer } from "../../src/tokenizer/tokenizer.ts";
import { SeededRandom } from "./random.ts";

export type TextKind = "prose" | "tool_output";

/** Common words; those that are one token each fill a text up to its exact length. */
const words = (
  "the of and to in is that for it was on are as with they at be this from have or by one " +
  "had not but what all were when we there can an your which their said if do will each " +
  "about how up out them then she many some so these would other into has more her two " +
  "like him see time could no make than first been its who now people my made over did " +
  "down only way find use may water long little very after words called just where most " +
  "know get through back much before go good new write our used me man too any day same " +
  "right look think also around another came come work three word must because does part " +
  "even place well such here take why things help put years different away again off went " +
  "old number great tell men say small every found still between name should home big give " +
  "air line set own under read last never us left end along while might next sound below " +
  "saw something thought both few those always looked show large often together"
).split(" ");

const directories = ["core", "api", "models", "storage", "scheduler", "parser", "cli", "tests"];
const subjects = ["session", "request", "batch", "record", "token", "worker", "payload", "buffer"];
const verbs = ["load", "merge", "encode", "resolve", "flush", "validate", "split", "append"];

/** Characters of a token of such text, a little more than there are. */
const charactersPerToken = 4.2;

export class TextSource {
  readonly #tokenizer: Tokenizer;
  readonly #random: SeededRandom;
  readonly #fillers: readonly string[];

  private constructor(tokenizer: Tokenizer, random: SeededRandom, fillers: readonly string[]) {
    this.#tokenizer = tokenizer;
    this.#random = random;
    this.#fillers = fillers;
  }

  static async create(tokenizer: Tokenizer, seed: number): Promise<TextSource> {
    const counts = await Promise.all(
      words.map(async (word) => (await tokenizer.encode(` ${word}`)).length),
    );
    const fillers = words.filter((_, index) => counts[index] === 1);
    if (fillers.length === 0) throw new Error("the tokenizer has no whole words");
    return new TextSource(tokenizer, new SeededRandom(seed), fillers);
  }

  async text(kind: TextKind, tokenCount: number): Promise<string> {
    let text = this.#draft(kind, tokenCount * charactersPerToken);
    for (;;) {
      const count = await this.#count(text);
      if (count === tokenCount) return text;
      if (count < tokenCount) text = this.#filled(text, tokenCount - count);
      else text = shortened(text, tokenCount / count);
    }
  }

  async #count(text: string): Promise<number> {
    return (await this.#tokenizer.encode(text)).length;
  }

  #draft(kind: TextKind, characters: number): string {
    const lines: string[] = [];
    for (let length = 0; length < characters; ) {
      const line = kind === "prose" ? this.#sentence() : this.#outputLine();
      lines.push(line);
      length += line.length + 1;
    }
    return lines.join(kind === "prose" ? " " : "\n");
  }

  #filled(text: string, tokenCount: number): string {
    const added = Array.from({ length: tokenCount }, () => this.#random.pick(this.#fillers));
    if (text !== "") return `${text} ${added.join(" ")}`;
    return added.join(" ");
  }

  #sentence(): string {
    const length = 6 + this.#random.below(14);
    const text = Array.from({ length }, () => this.#random.pick(words)).join(" ");
    return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
  }

  /** A line of what a shell, a test runner or an editor prints. */
  #outputLine(): string {
    const random = this.#random;
    const file = `src/${random.pick(directories)}/${random.pick(subjects)}_${random.below(40)}.py`;
    const name = `${random.pick(verbs)}_${random.pick(subjects)}`;
    const line = 1 + random.below(900);
    switch (random.below(6)) {
      case 0:
        return `${file}:${line}: def ${name}(self, ${random.pick(subjects)}_id: int) -> None:`;
      case 1:
        return `PASSED ${file}::test_${name} in ${random.below(999)} ms \u2713`;
      case 2:
        return `E       AssertionError: assert ${random.below(9999)} == ${random.below(9999)}`;
      case 3:
        return `{"level": "info", "event": "${name}", "bytes": ${random.below(1_000_000)}}`;
      case 4:
        return `${line}\t    return self.${random.pick(subjects)}s.${random.pick(verbs)}(key)`;
      default:
        return `INFO ${random.pick(directories)}: ${this.#sentence()}`;
    }
  }
}

/** The text cut at a space, or to nothing when there is none. */
function shortened(text: string, part: number): string {
  const end = Math.min(Math.floor(text.length * part), text.length - 1);
  return text.slice(0, Math.max(0, text.lastIndexOf(" ", end)));
}
