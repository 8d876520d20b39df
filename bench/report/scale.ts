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

/** From a tick at or below `minimum` to one at or above `maximum`; ticks are 1, 2, 5, 10, ... */
export function logarithmicScale(minimum: number, maximum: number): Scale {
  const all: number[] = [];
  const [first, last] = [Math.floor(Math.log10(minimum)), Math.ceil(Math.log10(maximum))];
  for (let power = first; power <= last; power += 1) {
    for (const step of [1, 2, 5]) all.push(Number(`${step}e${power}`));
  }
  const from = all.findLastIndex((tick) => tick <= minimum);
  const to = all.findIndex((tick) => tick >= maximum && tick > (all[from] ?? 0));
  const spanned = all.slice(from, to + 1);
  const low = Math.log10(spanned[0] ?? 1);
  const high = Math.log10(spanned.at(-1) ?? 10);
  const isPower = (tick: number): boolean => Number.isInteger(Math.log10(tick));
  const ticks = spanned.length > crowdedTicks ? spanned.filter(isPower) : spanned;
  return { ticks, place: (value) => (Math.log10(value) - low) / (high - low) };
}

/** More ticks than this would touch each other. */
const crowdedTicks = 10;

/** 1, 2 or 5 times a power of ten, at least `atLeast`. */
function niceStep(atLeast: number): number {
  const power = 10 ** Math.floor(Math.log10(atLeast));
  const step = [1, 2, 5, 10].find((candidate) => candidate * power >= atLeast - 1e-12) ?? 10;
  return step * power;
}
