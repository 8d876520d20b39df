/**
 * Seeded randomness for tests: the seed is printed, and SEED in the environment repeats a run.
 */

export interface Random {
  /** From `minimum` to `maximum`, both included. */
  integer(minimum: number, maximum: number): number;
  pick<Value>(values: readonly Value[]): Value;
  chance(probability: number): boolean;
}

/** The seed of this run, printed under `name`. */
export function seedOf(name: string): number {
  const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`${name}: SEED=${seed}`);
  return seed;
}

/** Mulberry32: 32 bits of state are plenty for test cases. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    integer: (minimum, maximum) => minimum + Math.floor(next() * (maximum - minimum + 1)),
    pick(values) {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined) throw new Error("pick() needs values");
      return value;
    },
    chance: (probability) => next() < probability,
  };
}
