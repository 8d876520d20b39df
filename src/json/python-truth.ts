/** Python's bool() of a JSON value. */
import { JsonFloat, type JsonValue } from "./values.ts";

/** False for null, false, zero of any kind, and empty texts, lists and objects. NaN is true. */
export function isTruthy(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== "object") return Boolean(value);
  if (value instanceof JsonFloat) return value.value !== 0;
  return value instanceof Map ? value.size > 0 : value.length > 0;
}
