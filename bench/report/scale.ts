/**
 * From values to places on an axis, with ticks at round numbers.
 */

export interface Scale {
  readonly ticks: readonly number[];
  /** Place of a value along the axis: 0 at its beginning, 1 at its end. */
  place(value: number): number;
}

/** From 0 to the first tick at or above `maximum`. */
export function linearScale(maximum: number, tickCount: number): Scale {
  const step = niceStep((maximum || 1) / tickCount);
  const count = Math.max(1, Math.ceil((maximum || 1) / step - 1e-9));
  const ticks = Array.from({ length: count + 1 }, (_, index) => index * step);
  return { ticks, place: (value) => value / (count * step) };
}

/** Powers of ten with 2 and 5 between them where there is room. */
export function logarithmicScale(minimum: number, maximum: number): Scale {
  const low = Math.log10(minimum);
  const high = Math.max(Math.log10(maximum), low + 0.1);
  const steps = high - low > 3 ? [1] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = Math.floor(low); power <= Math.ceil(high); power += 1) {
    for (const step of steps) {
      const tick = step * 10 ** power;
      if (Math.log10(tick) >= low - 1e-9 && Math.log10(tick) <= high + 1e-9) ticks.push(tick);
    }
  }
  return { ticks, place: (value) => (Math.log10(value) - low) / (high - low) };
}

/** 1, 2 or 5 times a power of ten, at least `atLeast`. */
function niceStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast));
  const step = [1, 2, 5, 10].find((candidate) => candidate * power >= atLeast - 1e-12) ?? 10;
  return step * power;
}
