/**
 * Which known name somebody meant by one that is not known.
 *
 * Contract   capitals, dashes and underscores do not count: names are compared as flags, variables
 *            and members alike. Says null rather than something far-fetched.
 */

/** The known name with the fewest slips of the pen from `name`; null when all have too many. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const written = folded(name);
  let nearest: string | null = null;
  let fewest = slipsMax(written) + 1;
  for (const candidate of known) {
    const slips = slipsBetween(written, folded(candidate));
    if (slips < fewest) {
      fewest = slips;
      nearest = candidate;
    }
  }
  return nearest;
}

/** The one known name that has all words of `name`: hf-checkpoint for checkpoint. */
export function onlyNameWith(name: string, known: readonly string[]): string | null {
  const words = wordsOf(name);
  if (words.length === 0) return null;
  const having = known.filter((candidate) => {
    const there = wordsOf(candidate);
    return words.every((word) => there.includes(word));
  });
  return having.length === 1 ? (having[0] ?? null) : null;
}

/** One in three characters, and no more than three: beyond it everything resembles everything. */
function slipsMax(name: string): number {
  return Math.min(3, Math.max(1, Math.floor(name.length / 3)));
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, "");
}

function wordsOf(name: string): string[] {
  const words = name.replaceAll(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
  return words.split(/[-_]+/).filter((word) => word !== "");
}

/**
 * Characters to insert, drop or replace, or neighbours to swap, that make one text the other
 * (optimal string alignment).
 */
function slipsBetween(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap =
        row > 1 &&
        column > 1 &&
        from[row - 1] === to[column - 2] &&
        from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? 0;
}
