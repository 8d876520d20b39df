/**
 * How much work something is, on a machine that has other work to do.
 */

/** Milliseconds of processor time that the least of three runs takes: waiting does not count. */
export function processorMs(work: () => void): number {
  const once = (): number => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  return Math.min(once(), once(), once());
}

/**
 * How many times as much work ten times the size is: about 10 when work grows with the size, 100
 * when it grows with its square. The least of some attempts: compilers and garbage collectors of
 * the runtime work in between, and never in all of them.
 */
export function growthOverTenfold(work: (size: "one" | "ten") => void, enough: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 10 && least > enough; attempt += 1) {
    const one = processorMs(() => work("one"));
    const ten = processorMs(() => work("ten"));
    // Less than half a millisecond is too little to be measured.
    least = Math.min(least, ten / Math.max(one, 0.5));
  }
  return least;
}
