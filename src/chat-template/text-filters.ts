/**
 * Filters that make a text of a value.
 */
import { operate } from "./arithmetic.ts";
import { capitalizeText } from "./character-classes.ts";
import type { Filter } from "./environment.ts";
import { ordered } from "./equality.ts";
import { filterArgumentError, TemplateTypeError, typeError } from "./errors.ts";
import { filter, textOf } from "./filter-definition.ts";
import { integerArgument, Slice } from "./indexing.ts";
import { iterate, lengthOf } from "./iteration.ts";
import { getSlice } from "./lookup.ts";
import { escapeHtml, Markup } from "./markup.ts";
import { formatPercent } from "./percent-format.ts";
import { print } from "./printing.ts";
import { justify } from "./string-methods.ts";
import { boundedText, replaceText, splitLines, strip, whitespaceClass } from "./text.ts";
import { isTrue, PythonObject, Tuple, typeName, Undefined, type Value } from "./values.ts";

/** A filter of str(value) without parameters. */
function ofText(name: string, body: (text: string) => Value): Filter {
  return filter(name, [], 0, (value) => body(print(value)));
}

const wordStarts = new RegExp(`([-${whitespaceClass}({[<]+)`);

/** The title filter has rules of its own: words start after whitespace, hyphens and brackets. */
function titleWords(text: string): string {
  return text
    .split(wordStarts)
    .map((word) => {
      const [first = ""] = word;
      return first.toUpperCase() + word.slice(first.length).toLowerCase();
    })
    .join("");
}

function indent(value: Value, width: Value, first: boolean, blank: boolean): string {
  const step = typeof width === "string" ? width : textOf(operate("*", " ", width), "width");
  const lines = splitLines(`${textOf(value, "indent: value")}\n`, false);
  const lineStart = `\n${step}`;
  const body = blank
    ? lines.join(lineStart)
    : lines.map((line, index) => (index > 0 && line !== "" ? step + line : line)).join("\n");
  return boundedText(first ? step + body : body);
}

function truncate(value: Value, args: (Value | undefined)[]): Value {
  const [length = 255, killWords = false, end = "...", leeway = null] = args;
  const endLength = lengthOf(end);
  const slack = leeway === null ? 5 : leeway;
  if (!ordered(">=", length, endLength)) {
    throw assertionError(`expected length >= ${endLength}, got ${print(length)}`);
  }
  if (!ordered(">=", slack, 0)) throw assertionError(`expected leeway >= 0, got ${print(slack)}`);
  if (ordered("<=", lengthOf(value), operate("+", length, slack))) return value;
  const head = getSlice(value, new Slice(null, operate("-", length, endLength), null));
  if (isTrue(killWords)) return operate("+", head, end);
  const text = textOf(head, "truncate: value");
  const lastSpace = text.lastIndexOf(" ");
  return operate("+", lastSpace < 0 ? text : text.slice(0, lastSpace), end);
}

function assertionError(reason: string): TemplateTypeError {
  return new TemplateTypeError("AssertionError", reason);
}

/** urllib.parse.quote of str(value), or of a text's UTF-8 bytes. */
function quoteForUrl(value: Value, safe: RegExp): string {
  const bytes = new TextEncoder().encode(print(value));
  let quoted = "";
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    quoted += safe.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return quoted;
}

const safeInPath = /[A-Za-z0-9_.~/-]/;
const safeInQuery = /[A-Za-z0-9_.~-]/;

function urlEncode(value: Value): string {
  const isIterable =
    Array.isArray(value) ||
    value instanceof Map ||
    (value instanceof PythonObject && value.iterator() !== undefined);
  if (!isIterable) return quoteForUrl(value, safeInPath);
  const pairs: string[] = [];
  const source = value instanceof Map ? [...value].map((pair) => new Tuple(pair)) : value;
  const items = iterate(source);
  for (let step = items.next(); step.done !== true; step = items.next()) {
    const pair = iterate(step.value);
    const parts: string[] = [];
    for (let part = pair.next(); part.done !== true; part = pair.next()) {
      parts.push(quoteForUrl(part.value, safeInQuery).replaceAll("%20", "+"));
    }
    if (parts.length !== 2) throw new TemplateTypeError("ValueError", "pairs must have two items");
    pairs.push(parts.join("="));
  }
  return pairs.join("&");
}

const escapeFilter = filter("escape", [], 0, (value) =>
  value instanceof Markup ? value : escapeHtml(print(value)),
);

export const textFilters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ["capitalize", ofText("capitalize", capitalizeText)],
  [
    "center",
    filter("center", ["width"], 0, (value, [width = 80]) =>
      justify(print(value), integerArgument(width), " ", "center"),
    ),
  ],
  [
    "format",
    (value, args, keywords) => {
      if (args.length > 0 && keywords.size > 0) {
        throw filterArgumentError("can't handle positional and keyword arguments at the same time");
      }
      const values = keywords.size > 0 ? new Map<Value, Value>(keywords) : new Tuple(args);
      return formatPercent(print(value), values);
    },
  ],
  [
    "indent",
    filter("indent", ["width", "first", "blank"], 0, (value, args) => {
      const [width = 4, first = false, blank = false] = args;
      return indent(value, width, isTrue(first), isTrue(blank));
    }),
  ],
  ["lower", ofText("lower", (text) => text.toLowerCase())],
  [
    "replace",
    filter("replace", ["old", "new", "count"], 2, (value, [old, replacement, count = null]) =>
      replaceText(
        print(value),
        print(old ?? null),
        print(replacement ?? null),
        count === null ? -1 : integerArgument(count),
      ),
    ),
  ],
  ["string", filter("string", [], 0, (value) => (value instanceof Markup ? value : print(value)))],
  ["safe", ofText("safe", (text) => new Markup(text))],
  ["e", escapeFilter],
  ["escape", escapeFilter],
  ["forceescape", ofText("forceescape", escapeHtml)],
  ["title", ofText("title", titleWords)],
  [
    "trim",
    filter("trim", ["chars"], 0, (value, [chars = null]) => {
      if (chars instanceof Undefined || (chars !== null && typeof chars !== "string")) {
        throw typeError(`strip arg must be None or str, not ${typeName(chars)}`);
      }
      return strip(print(value), chars);
    }),
  ],
  ["truncate", filter("truncate", ["length", "killwords", "end", "leeway"], 0, truncate)],
  ["upper", ofText("upper", (text) => text.toUpperCase())],
  ["urlencode", filter("urlencode", [], 0, urlEncode)],
  ["wordcount", ofText("wordcount", (text) => text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0)],
]);
