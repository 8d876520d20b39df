/**
 * str.format: replacement fields, their attribute and item paths, conversions and format
 * specifications, in the sandbox's reading (no private attributes).
 */
import { lookupError, runtimeError, valueError } from "./errors.ts";
import { formatValue } from "./format-specification.ts";
import { print, represent } from "./printing.ts";
import { boundedText } from "./text.ts";
import { type Keywords, Undefined, type Value } from "./values.ts";

/** How a field path reaches into a value; given by lookup.ts, which knows the methods of str. */
export interface FieldLookup {
  getAttribute(value: Value, name: string): Value;
  getItem(value: Value, key: Value): Value;
}

interface Arguments {
  readonly lookup: FieldLookup;
  readonly positional: readonly Value[];
  readonly named: Keywords;
  /** The next automatic index; -1 once a field was numbered by hand. */
  automatic: number;
}

/** text.format(*args, **keywords) */
export function formatBraces(
  lookup: FieldLookup,
  text: string,
  args: readonly Value[],
  keywords: Keywords,
): string {
  const state: Arguments = { lookup, positional: args, named: keywords, automatic: 0 };
  return boundedText(expand(text, state, 2));
}

/** Fields may stand inside a specification, and others inside theirs. */
function expand(text: string, args: Arguments, depth: number): string {
  if (depth < 0) throw valueError("Max string recursion exceeded");
  let result = "";
  let index = 0;
  while (index < text.length) {
    const character = text[index];
    if (character === "{" || character === "}") {
      if (text[index + 1] === character) {
        result += character;
        index += 2;
        continue;
      }
      if (character === "}") throw valueError("Single '}' encountered in format string");
      const end = fieldEnd(text, index + 1);
      result += expandField(text.slice(index + 1, end), args, depth);
      index = end + 1;
      continue;
    }
    result += character;
    index += 1;
  }
  return result;
}

/** The index of the brace that closes the field which starts at `start`. */
function fieldEnd(text: string, start: number): number {
  if (start >= text.length) throw valueError("Single '{' encountered in format string");
  let open = 1;
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === "{") open += 1;
    if (text[index] === "}") open -= 1;
    if (open === 0) return index;
  }
  throw valueError("expected '}' before end of string");
}

function expandField(field: string, args: Arguments, depth: number): string {
  const { path, conversion, specification } = splitField(field);
  const value = convert(follow(path, args), conversion);
  return formatValue(value, expand(specification, args, depth - 1));
}

function splitField(field: string) {
  let bracketed = false;
  for (let index = 0; index < field.length; index += 1) {
    const character = field[index];
    if (character === "[") bracketed = true;
    else if (character === "]") bracketed = false;
    else if (bracketed) continue;
    else if (character === "{") throw valueError("unexpected '{' in field name");
    else if (character === ":") {
      return { path: field.slice(0, index), conversion: "", specification: field.slice(index + 1) };
    } else if (character === "!") {
      const conversion = field[index + 1];
      const after = field.slice(index + 2);
      if (conversion === undefined) {
        throw valueError("end of string while looking for conversion specifier");
      }
      if (after !== "" && !after.startsWith(":")) {
        throw valueError("expected ':' after conversion specifier");
      }
      return { path: field.slice(0, index), conversion, specification: after.slice(1) };
    }
  }
  return { path: field, conversion: "", specification: "" };
}

function convert(value: Value, conversion: string): Value {
  switch (conversion) {
    case "":
      return value;
    case "s":
      return print(value);
    case "r":
      return represent(value);
    case "a":
      throw runtimeError("conversion !a is not supported by this template engine");
    default:
      throw valueError(`Unknown conversion specifier ${conversion}`);
  }
}

function follow(path: string, args: Arguments): Value {
  const first = /^[^.[]*/.exec(path)?.[0] ?? "";
  let value = firstValue(first, args);
  let rest = path.slice(first.length);
  while (rest !== "") {
    const step = /^(?:\.([^.[]+)|\[([^\]]+)\])/.exec(rest);
    if (step === null) throw valueError("Empty attribute in format string");
    const [whole, name, key = ""] = step;
    if (name !== undefined) value = args.lookup.getAttribute(value, name);
    else value = args.lookup.getItem(value, /^\d+$/.test(key) ? Number(key) : key);
    if (value instanceof Undefined && rest.length > whole.length) throw value.error();
    rest = rest.slice(whole.length);
  }
  return value;
}

function firstValue(name: string, args: Arguments): Value {
  if (name !== "" && !/^\d+$/.test(name)) {
    const value = args.named.get(name);
    if (value === undefined) throw lookupError("KeyError", represent(name));
    return value;
  }
  if (name === "" ? args.automatic < 0 : args.automatic > 0) {
    throw valueError("cannot switch from manual field specification to automatic field numbering");
  }
  const index = name === "" ? args.automatic : Number(name);
  args.automatic = name === "" ? index + 1 : -1;
  const value = args.positional[index];
  if (value === undefined) {
    throw lookupError(
      "IndexError",
      `Replacement index ${index} out of range for positional args tuple`,
    );
  }
  return value;
}
