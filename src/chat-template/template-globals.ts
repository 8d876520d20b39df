/**
 * The names that every template sees unless a variable hides them.
 */

import { templateRangeItemsMax } from "../limits.ts";
import { bindArguments } from "./arguments.ts";
import { PythonRange } from "./containers.ts";
import { buildDictionary } from "./dictionaries.ts";
import {
  overflowError,
  runtimeError,
  TemplateError,
  TemplateTypeError,
  typeError,
  valueError,
} from "./errors.ts";
import { integerArgument } from "./indexing.ts";
import { print, represent } from "./printing.ts";
import { formatTime } from "./time-format.ts";
import {
  type Keywords,
  Namespace,
  type PythonCall,
  PythonFunction,
  PythonObject,
  Tuple,
  typeName,
  type Value,
} from "./values.ts";

function range(args: Value[], keywords: Keywords): Value {
  if (keywords.size > 0) throw typeError("range() takes no keyword arguments");
  if (args.length === 0 || args.length > 3) {
    throw typeError(`range expected 1 to 3 arguments, got ${args.length}`);
  }
  const numbers = args.map(integerArgument);
  const [first = 0, second, step = 1] = numbers;
  if (step === 0) throw valueError("range() arg 3 must not be zero");
  const result =
    second === undefined ? new PythonRange(0, first, 1) : new PythonRange(first, second, step);
  if (result.count > templateRangeItemsMax) {
    throw overflowError(
      "Range too big. The sandbox blocks ranges larger than " +
        `MAX_RANGE (${templateRangeItemsMax}).`,
    );
  }
  return result;
}

function namespace(args: Value[], keywords: Keywords): Value {
  const attributes = new Map<string, Value>();
  for (const [name, value] of buildDictionary(args, keywords)) {
    attributes.set(typeof name === "string" ? name : represent(name), value);
  }
  return new Namespace(attributes);
}

/** The messages of raise_exception are what a template's author wrote for the user. */
function raiseException(args: Value[], keywords: Keywords): Value {
  const signature = { name: "raise_exception", parameters: ["message"], required: 1 };
  const [message = null] = bindArguments(signature, args, keywords);
  throw new TemplateError("TemplateError", print(message));
}

class Joiner extends PythonObject {
  readonly typeName = "Joiner";
  readonly #separator: Value;
  #used = false;

  constructor(separator: Value) {
    super();
    this.#separator = separator;
  }

  represent(): string {
    return "<jinja2.utils.Joiner object>";
  }

  override attribute(name: string): Value | undefined {
    if (name === "sep") return this.#separator;
    return name === "used" ? this.#used : undefined;
  }

  override get callable(): PythonCall {
    return () => {
      if (this.#used) return this.#separator;
      this.#used = true;
      return "";
    };
  }
}

class Cycler extends PythonObject {
  readonly typeName = "Cycler";
  readonly #items: Value[];
  #position = 0;

  constructor(items: Value[]) {
    super();
    if (items.length === 0) {
      throw new TemplateTypeError("RuntimeError", "at least one item has to be provided");
    }
    this.#items = items;
  }

  represent(): string {
    return "<jinja2.utils.Cycler object>";
  }

  override attribute(name: string): Value | undefined {
    switch (name) {
      case "items":
        return new Tuple(this.#items);
      case "pos":
        return this.#position;
      case "current":
        return this.#items[this.#position];
      case "next":
        return new PythonFunction("next", () => {
          const item = this.#items[this.#position] as Value;
          this.#position = (this.#position + 1) % this.#items.length;
          return item;
        });
      case "reset":
        return new PythonFunction("reset", () => {
          this.#position = 0;
          return null;
        });
      default:
        return undefined;
    }
  }
}

/** transformers' TemplateDict: callable, and fromkeys is its one method. */
class DictionaryType extends PythonObject {
  readonly typeName = "TemplateDict";

  represent(): string {
    return "<TemplateDict object>";
  }

  override get callable(): PythonCall {
    return buildDictionary;
  }
}

/** `now` gives the time that strftime_now formats. */
export function createGlobals(now: () => Date): ReadonlyMap<string, Value> {
  return new Map<string, Value>([
    ["range", new PythonFunction("range", range, "function")],
    ["dict", new DictionaryType()],
    ["namespace", new PythonFunction("namespace", namespace, "type")],
    ["cycler", new PythonFunction("cycler", (args) => new Cycler(args), "type")],
    ["joiner", new PythonFunction("joiner", ([separator = ", "]) => new Joiner(separator), "type")],
    ["raise_exception", new PythonFunction("raise_exception", raiseException, "function")],
    [
      "strftime_now",
      new PythonFunction(
        "strftime_now",
        (args, keywords) => {
          const signature = { name: "strftime_now", parameters: ["format"], required: 1 };
          const [format = null] = bindArguments(signature, args, keywords);
          if (typeof format !== "string") {
            throw typeError(`strftime() argument 1 must be str, not ${typeName(format)}`);
          }
          return formatTime(now(), format);
        },
        "function",
      ),
    ],
    [
      "lipsum",
      new PythonFunction(
        "lipsum",
        () => {
          throw runtimeError("lipsum() is not supported by this template engine");
        },
        "function",
      ),
    ],
  ]);
}
