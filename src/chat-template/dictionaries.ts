/**
 * Building dicts: dict(), dict.fromkeys() and the arguments of namespace().
 */
import { setKey } from "./equality.ts";
import { typeError, valueError } from "./errors.ts";
import { iterate, listItems } from "./iteration.ts";
import {
  type Dictionary,
  type Keywords,
  Namespace,
  typeName,
  Undefined,
  type Value,
} from "./values.ts";

/** dict(*args, **keywords) */
export function buildDictionary(args: readonly Value[], keywords: Keywords): Dictionary {
  if (args.length > 1) {
    throw typeError(`dict expected at most 1 argument, got ${args.length}`);
  }
  const [source] = args;
  const dictionary: Dictionary = source instanceof Map ? new Map(source) : new Map();
  if (source !== undefined && !(source instanceof Map)) addPairs(dictionary, source);
  for (const [name, value] of keywords) dictionary.set(name, value);
  return dictionary;
}

function addPairs(dictionary: Dictionary, source: Value): void {
  // dict() asks for keys() first: an Undefined and a namespace answer that with their own errors.
  if (source instanceof Undefined) throw source.error();
  if (source instanceof Namespace) throw typeError("'TemplateNamespace' object is not iterable");
  let index = 0;
  const pairs = iterate(source);
  for (let step = pairs.next(); step.done !== true; step = pairs.next()) {
    const pair = pairItems(step.value, index);
    if (pair.length !== 2) {
      throw valueError(
        `dictionary update sequence element #${index} has length ${pair.length}; 2 is required`,
      );
    }
    setKey(dictionary, pair[0] as Value, pair[1] as Value);
    index += 1;
  }
}

function pairItems(pair: Value, index: number): readonly Value[] {
  try {
    return listItems(pair);
  } catch {
    throw typeError(
      `cannot convert dictionary update sequence element #${index} to a sequence ` +
        `(${typeName(pair)})`,
    );
  }
}

/** dict.fromkeys(keys, value) */
export function dictionaryFromKeys(keys: Value, value: Value): Dictionary {
  const dictionary: Dictionary = new Map();
  for (const key of listItems(keys)) setKey(dictionary, key, value);
  return dictionary;
}
