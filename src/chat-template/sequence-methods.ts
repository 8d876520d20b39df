/**
 * The methods of list, tuple and range that do not change them; the sandbox refuses the others.
 */
import { bindArguments, type Signature } from "./arguments.ts";
import type { PythonRange } from "./containers.ts";
import { sameItem } from "./equality.ts";
import { typeError, valueError } from "./errors.ts";
import { integerArgument } from "./indexing.ts";
import { represent } from "./printing.ts";
import type { Keywords, Tuple, Value } from "./values.ts";

export type SequenceMethod<Self> = (self: Self, args: Value[], keywords: Keywords) => Value;

const countSignature: Signature = {
  name: "count",
  parameters: ["value"],
  required: 1,
  positionalOnly: true,
};
const indexSignature: Signature = {
  name: "index",
  parameters: ["value", "start", "stop"],
  required: 1,
  positionalOnly: true,
};

function count(items: readonly Value[], args: Value[], keywords: Keywords): Value {
  const [wanted = null] = bindArguments(countSignature, args, keywords);
  return items.filter((item) => sameItem(item, wanted)).length;
}

function indexOf(type: string, items: readonly Value[], args: Value[], keywords: Keywords): Value {
  const [wanted = null, start = 0, stop = items.length] = bindArguments(
    indexSignature,
    args,
    keywords,
  );
  const place = (value: Value): number => {
    const index = integerArgument(value);
    return index < 0 ? Math.max(0, index + items.length) : Math.min(index, items.length);
  };
  const to = place(stop);
  for (let index = place(start); index < to; index += 1) {
    if (sameItem(items[index] as Value, wanted)) return index;
  }
  throw valueError(
    type === "list" ? `${represent(wanted)} is not in list` : `${type}.index(x): x not in ${type}`,
  );
}

export const listMethods: ReadonlyMap<string, SequenceMethod<Value[]>> = new Map<
  string,
  SequenceMethod<Value[]>
>([
  ["count", count],
  ["index", (items, args, keywords) => indexOf("list", items, args, keywords)],
  [
    "copy",
    (items, args, keywords) => {
      if (args.length === 0 && keywords.size === 0) return [...items];
      throw typeError(`list.copy() takes no arguments (${args.length} given)`);
    },
  ],
]);

/** Methods that change a list: ImmutableSandboxedEnvironment refuses them. */
export const listMutators: ReadonlySet<string> = new Set([
  "append",
  "clear",
  "pop",
  "reverse",
  "insert",
  "sort",
  "extend",
  "remove",
]);

export const tupleMethods: ReadonlyMap<string, SequenceMethod<Tuple>> = new Map<
  string,
  SequenceMethod<Tuple>
>([
  ["count", (tuple, args, keywords) => count(tuple.items, args, keywords)],
  ["index", (tuple, args, keywords) => indexOf("tuple", tuple.items, args, keywords)],
]);

export const rangeMethods: ReadonlyMap<string, SequenceMethod<PythonRange>> = new Map<
  string,
  SequenceMethod<PythonRange>
>([
  ["count", (range, args, keywords) => count([...range.iterator()], args, keywords)],
  ["index", (range, args, keywords) => indexOf("range", [...range.iterator()], args, keywords)],
]);
