/**
 * Python's slices and integer indices.
 */
import { overflowError, typeError, valueError } from "./errors.ts";
import { PythonObject, typeName, type Value } from "./values.ts";

/** The object behind value[start:stop:step]. */
export class Slice extends PythonObject {
  readonly typeName = "slice";
  readonly start: Value;
  readonly stop: Value;
  readonly step: Value;

  constructor(start: Value, stop: Value, step: Value) {
    super();
    this.start = start;
    this.stop = stop;
    this.step = step;
  }

  represent(): string {
    return "slice(...)";
  }
}

/** The indices that a slice picks from a sequence of `length` items. */
export function sliceIndices(slice: Slice, length: number): number[] {
  const step = sliceNumber(slice.step) ?? 1;
  if (step === 0) throw valueError("slice step cannot be zero");
  const low = step < 0 ? -1 : 0;
  const high = step < 0 ? length - 1 : length;
  const clamp = (value: number) =>
    Math.min(Math.max(value < 0 ? value + length : value, low), high);
  const start = sliceNumber(slice.start);
  const stop = sliceNumber(slice.stop);
  const from = start === null ? (step < 0 ? high : low) : clamp(start);
  const to = stop === null ? (step < 0 ? low : high) : clamp(stop);
  const indices: number[] = [];
  for (let index = from; step < 0 ? index > to : index < to; index += step) indices.push(index);
  return indices;
}

function sliceNumber(value: Value): number | null {
  if (value === null) return null;
  if (typeof value === "number") return value;
  if (typeof value === "boolean" || typeof value === "bigint") return Number(value);
  throw typeError("slice indices must be integers or None or have an __index__ method");
}

/** An index of a sequence, or undefined for a value that is no integer. */
export function indexNumber(value: Value): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "boolean" || typeof value === "bigint") return Number(value);
  return undefined;
}

/** An argument that must be an int. */
export function integerArgument(value: Value): number {
  const index = indexNumber(value);
  if (typeof value === "bigint") {
    throw overflowError("Python int too large to convert to C ssize_t");
  }
  if (index !== undefined) return index;
  throw typeError(`'${typeName(value)}' object cannot be interpreted as an integer`);
}
