/**
 * str() and repr() of a template's values.
 */
import { pythonRepr } from "../json/python-repr.ts";
import { PythonObject, type Value } from "./values.ts";

/** str(value): what `{{ value }}` prints. */
export function print(value: Value): string {
  if (typeof value === "string") return value;
  return value instanceof PythonObject ? value.print(represent) : represent(value);
}

/** repr(value) */
export function represent(value: Value): string {
  return pythonRepr(value, representObject);
}

function representObject(value: object): string {
  return value instanceof PythonObject ? value.represent(represent) : String(value);
}
