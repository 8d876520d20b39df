/**
 * Equality of JSON values as Python's == has it.
 */
import { isPythonNumber, numbersEqual } from "./python-number.ts";
import type { JsonValue } from "./values.ts";

/** Python's ==: the order of members is free, 1 == 1.0 == True, integers are exact at any size. */
export function jsonEqual(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (isPythonNumber(left)) return isPythonNumber(right) && numbersEqual(left, right);
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => jsonEqual(item, right[index] as JsonValue))
    );
  }
  if (!(left instanceof Map && right instanceof Map) || left.size !== right.size) return false;
  for (const [name, item] of left) {
    const other = right.get(name);
    if (other === undefined || !jsonEqual(item, other)) return false;
  }
  return true;
}
