/**
 * How a soak runs. `bun run soak -- --minutes 10 --sessions 1000 --workers 4 --seed 7`
 */

export interface SoakOptions {
  readonly seconds: number;
  /** Sessions at any moment. */
  readonly sessions: number;
  readonly workers: number;
  /** Everything that is drawn is drawn from it; the timing of the machine is not. */
  readonly seed: number;
  /** Longest pause of an agent between two requests, in milliseconds. */
  readonly thinkMsMax: number;
}

const defaults: SoakOptions = {
  seconds: 600,
  sessions: 1_000,
  workers: 4,
  seed: 1,
  thinkMsMax: 4_000,
};

const flags: Readonly<Record<string, (value: number) => Partial<SoakOptions>>> = {
  "--minutes": (value) => ({ seconds: value * 60 }),
  "--seconds": (value) => ({ seconds: value }),
  "--sessions": (value) => ({ sessions: value }),
  "--workers": (value) => ({ workers: value }),
  "--seed": (value) => ({ seed: value }),
  "--think-ms": (value) => ({ thinkMsMax: value }),
};

/** Throws a sentence for the user when it does not understand a word. */
export function parseSoakOptions(words: readonly string[]): SoakOptions {
  let options = defaults;
  for (let index = 0; index < words.length; index += 2) {
    const flag = words[index] ?? "";
    const value = Number(words[index + 1]);
    const set = Object.hasOwn(flags, flag) ? flags[flag] : undefined;
    if (set === undefined || !(value > 0)) {
      throw new Error(
        `${flag} ${words[index + 1] ?? ""}: expected ${Object.keys(flags).join(", ")}`,
      );
    }
    options = { ...options, ...set(value) };
  }
  return options;
}
