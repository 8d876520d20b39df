/**
 * The methods of dict that do not change it; the sandbox refuses the others.
 */
import { bindArguments, type Signature } from "./arguments.ts";
import { DictionaryView } from "./containers.ts";
import { dictionaryFromKeys } from "./dictionaries.ts";
import { findKey } from "./equality.ts";
import { typeError } from "./errors.ts";
import type { Dictionary, Keywords, Value } from "./values.ts";

export type DictionaryMethod = (dictionary: Dictionary, args: Value[], keywords: Keywords) => Value;

function checkNoArguments(name: string, args: Value[], keywords: Keywords): void {
  if (args.length === 0 && keywords.size === 0) return;
  throw typeError(`dict.${name}() takes no arguments (${args.length} given)`);
}

function viewMethod(name: "keys" | "values" | "items"): DictionaryMethod {
  return (dictionary, args, keywords) => {
    checkNoArguments(name, args, keywords);
    return new DictionaryView(name, dictionary);
  };
}

const getSignature: Signature = {
  name: "get",
  parameters: ["key", "default"],
  required: 1,
  positionalOnly: true,
};

export const dictionaryMethods: ReadonlyMap<string, DictionaryMethod> = new Map(
  Object.entries({
    keys: viewMethod("keys"),
    values: viewMethod("values"),
    items: viewMethod("items"),
    get: (dictionary, args, keywords) => {
      const [key = null, missing = null] = bindArguments(getSignature, args, keywords);
      const found = findKey(dictionary, key);
      return found === undefined ? missing : (dictionary.get(found) as Value);
    },
    copy: (dictionary, args, keywords) => {
      checkNoArguments("copy", args, keywords);
      return new Map(dictionary);
    },
    fromkeys: (_dictionary, args, keywords) => {
      const signature = { name: "fromkeys", parameters: ["iterable", "value"], required: 1 };
      const [keys = null, value = null] = bindArguments(signature, args, keywords);
      return dictionaryFromKeys(keys, value);
    },
  } satisfies Record<string, DictionaryMethod>),
);

/** Methods that change a dict: ImmutableSandboxedEnvironment refuses them. */
export const dictionaryMutators: ReadonlySet<string> = new Set([
  "clear",
  "pop",
  "popitem",
  "setdefault",
  "update",
]);
