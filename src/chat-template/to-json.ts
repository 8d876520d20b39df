/**
 * The tojson filter that transformers installs: json.dumps of a template's value, without the HTML
 * escaping of Jinja's own.
 */
import { asciiJsonString, jsonFloat, jsonString } from "../json/python-json.ts";
import { isPythonNumber } from "../json/python-number.ts";
import { JsonFloat } from "../json/values.ts";
import { operate } from "./arithmetic.ts";
import { sorted } from "./equality.ts";
import { typeError } from "./errors.ts";
import { unpack } from "./iteration.ts";
import { Markup } from "./markup.ts";
import { boundedText } from "./text.ts";
import { type Dictionary, Tuple, typeName, type Value } from "./values.ts";

export interface ToJsonOptions {
  readonly ensureAscii: boolean;
  /** An int, a text or None. */
  readonly indent: Value;
  /** A pair of texts or None. */
  readonly separators: Value;
  readonly sortKeys: boolean;
}

/** json.dumps(value, **options) */
export function toJson(value: Value, options: ToJsonOptions): string {
  const separators = options.separators === null ? null : unpack(options.separators, 2);
  // A text alone is written before json.dumps looks at the other options.
  if (typeof value === "string") return quoteFunction(options)(value);
  if (value instanceof Markup) return quoteFunction(options)(value.text);
  return boundedText(new Encoder(options, separators).encode(value, "\n"));
}

function quoteFunction({ ensureAscii }: ToJsonOptions): (text: string) => string {
  return ensureAscii ? asciiJsonString : jsonString;
}

class Encoder {
  readonly #quote: (text: string) => string;
  /** What one level adds at the start of a line; null writes everything in one line. */
  readonly #level: string | null;
  readonly #itemSeparator: string;
  readonly #keySeparator: string;
  readonly #sortKeys: boolean;

  constructor(options: ToJsonOptions, separators: readonly Value[] | null) {
    this.#quote = quoteFunction(options);
    this.#level = indentText(options.indent);
    this.#sortKeys = options.sortKeys;
    const [item = null, key = null] = separators ?? [this.#level === null ? ", " : ",", ": "];
    this.#itemSeparator = separatorText(item);
    this.#keySeparator = separatorText(key);
  }

  /** `newline` is the line break and indentation of the level that the value stands on. */
  encode(value: Value, newline: string): string {
    if (typeof value === "string") return this.#quote(value);
    if (value === null || typeof value !== "object") return String(value);
    if (value instanceof JsonFloat) return jsonFloat(value);
    if (Array.isArray(value)) return this.#sequence(value, newline);
    if (value instanceof Map) return this.#dictionary(value, newline);
    if (value instanceof Tuple) return this.#sequence(value.items, newline);
    if (value instanceof Markup) return this.#quote(value.text);
    throw typeError(`Object of type ${typeName(value)} is not JSON serializable`);
  }

  #sequence(items: readonly Value[], newline: string): string {
    if (items.length === 0) return "[]";
    const inner = newline + (this.#level ?? "");
    return this.#enclose(
      "[",
      items.map((item) => this.encode(item, inner)),
      "]",
      newline,
    );
  }

  #dictionary(dictionary: Dictionary, newline: string): string {
    if (dictionary.size === 0) return "{}";
    const inner = newline + (this.#level ?? "");
    const keys: readonly Value[] = this.#sortKeys
      ? sorted([...dictionary.keys()], (key) => key, false)
      : [...dictionary.keys()];
    const members = keys.map((key) => {
      const name = this.#quote(keyText(key));
      return name + this.#keySeparator + this.encode(dictionary.get(key) as Value, inner);
    });
    return this.#enclose("{", members, "}", newline);
  }

  #enclose(open: string, parts: string[], close: string, newline: string): string {
    if (this.#level === null) return open + parts.join(this.#itemSeparator) + close;
    const inner = newline + this.#level;
    return open + inner + parts.join(this.#itemSeparator + inner) + newline + close;
  }
}

function indentText(indent: Value): string | null {
  if (indent === null || typeof indent === "string") return indent;
  const level = operate("*", " ", indent);
  if (typeof level === "string") return level;
  throw typeError(`indent must be int or str, not ${typeName(indent)}`);
}

function separatorText(value: Value): string {
  if (typeof value === "string") return value;
  throw typeError(`separators must be str, not ${typeName(value)}`);
}

/** Keys that are no text are written as json.dumps writes them. */
function keyText(key: Value): string {
  if (typeof key === "string") return key;
  if (key instanceof JsonFloat) return jsonFloat(key);
  if (key === null || isPythonNumber(key)) return String(key);
  throw typeError(`keys must be str, int, float, bool or None, not ${typeName(key)}`);
}
