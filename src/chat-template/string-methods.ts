/**
 * The methods of str.
 *
 * Contract   one entry per method of Python 3.11; those that a chat template has no use for
 *            (encode, translate, ...) raise a TemplateError when called.
 */
import { bindArguments } from "./arguments.ts";
import {
  capitalizeText,
  characterTests,
  isLower,
  isPrintable,
  isTitle,
  isUpper,
  swapCase,
  titleText,
} from "./character-classes.ts";
import { runtimeError, typeError, valueError } from "./errors.ts";
import { integerArgument } from "./indexing.ts";
import { iterate } from "./iteration.ts";
import { countText, findText, hasAffix, textArgument } from "./string-search.ts";
import {
  boundedText,
  characters,
  repeatText,
  replaceText,
  type Side,
  split,
  splitAtSpace,
  splitAtSpaceFromRight,
  splitFromRight,
  splitLines,
  strip,
} from "./text.ts";
import { isTrue, type Keywords, Tuple, typeName, type Value } from "./values.ts";

export type StringMethod = (text: string, args: Value[], keywords: Keywords) => Value;

type Body = (text: string, ...args: (Value | undefined)[]) => Value;

/** A method with positional parameters; those after `required` may be left out. */
function method(name: string, parameters: string[], required: number, body: Body): StringMethod {
  const signature = { name, parameters, required, positionalOnly: true };
  return (text, args, keywords) => body(text, ...bindArguments(signature, args, keywords));
}

function stripMethod(name: string, side: Side): StringMethod {
  return method(name, ["chars"], 0, (text, chars = null) => {
    if (chars !== null && typeof chars !== "string") {
      throw typeError(`${name} arg must be None or str`);
    }
    return strip(text, chars, side);
  });
}

function splitMethod(
  name: string,
  atText: (text: string, separator: string, limit: number) => string[],
  atSpace: (text: string, limit: number) => string[],
): StringMethod {
  const signature = { name, parameters: ["sep", "maxsplit"], required: 0 };
  return (text, args, keywords) => {
    const [separator = null, limit = -1] = bindArguments(signature, args, keywords);
    const count = integerArgument(limit);
    if (separator === null) return atSpace(text, count);
    if (textArgument(separator) === "") throw valueError("empty separator");
    return atText(text, textArgument(separator), count);
  };
}

function partitionMethod(name: string, fromRight: boolean): StringMethod {
  return method(name, ["sep"], 1, (text, value) => {
    const separator = textArgument(value);
    if (separator === "") throw valueError("empty separator");
    const at = fromRight ? text.lastIndexOf(separator) : text.indexOf(separator);
    if (at < 0) return new Tuple(fromRight ? ["", "", text] : [text, "", ""]);
    return new Tuple([text.slice(0, at), separator, text.slice(at + separator.length)]);
  });
}

function findMethod(name: string, fromRight: boolean, mustFind: boolean): StringMethod {
  return method(name, ["sub", "start", "end"], 1, (text, wanted, start, end) => {
    const at = findText(text, wanted, start, end, fromRight);
    if (at < 0 && mustFind) throw valueError("substring not found");
    return at;
  });
}

function affixMethod(name: "startswith" | "endswith"): StringMethod {
  return method(name, ["affix", "start", "end"], 1, (text, affix, start, end) =>
    hasAffix(name, text, affix, start, end),
  );
}

function justifyMethod(name: "center" | "ljust" | "rjust"): StringMethod {
  return method(name, ["width", "fillchar"], 1, (text, width, fill = " ") => {
    const wanted = integerArgument(width ?? null);
    if (typeof fill !== "string" || characters(fill).length !== 1) {
      throw typeError("The fill character must be exactly one character long");
    }
    return justify(text, wanted, fill, name);
  });
}

export function justify(
  text: string,
  width: number,
  fill: string,
  side: "center" | "ljust" | "rjust",
): string {
  const length = characters(text).length;
  const missing = width - length;
  if (missing <= 0) return text;
  if (side === "ljust") return boundedText(text + repeatText(fill, missing));
  if (side === "rjust") return boundedText(repeatText(fill, missing) + text);
  // CPython puts the odd one on the left when the width is odd.
  const left = Math.floor(missing / 2) + (missing & width & 1);
  return boundedText(repeatText(fill, left) + text + repeatText(fill, missing - left));
}

function joinTexts(separator: string, items: Value): string {
  const parts: string[] = [];
  const iterator = iterate(items);
  for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
    if (typeof step.value !== "string") {
      throw typeError(
        `sequence item ${parts.length}: expected str instance, ${typeName(step.value)} found`,
      );
    }
    parts.push(step.value);
  }
  return boundedText(parts.join(separator));
}

function expandTabs(text: string, tabSize: number): string {
  let column = 0;
  let result = "";
  for (const character of text) {
    if (character === "\t") {
      const spaces = tabSize > 0 ? tabSize - (column % tabSize) : 0;
      result += " ".repeat(spaces);
      column += spaces;
      boundedText(result);
    } else {
      result += character;
      column = character === "\n" || character === "\r" ? 0 : column + 1;
    }
  }
  return result;
}

function refuse(name: string): StringMethod {
  return () => {
    throw runtimeError(`str.${name}() is not supported by this template engine`);
  };
}

const simple = (name: string, body: (text: string) => Value) => method(name, [], 0, body);

export const stringMethods: ReadonlyMap<string, StringMethod> = new Map(
  Object.entries({
    capitalize: simple("capitalize", capitalizeText),
    center: justifyMethod("center"),
    count: method("count", ["sub", "start", "end"], 1, countText),
    endswith: affixMethod("endswith"),
    expandtabs: ((text, args, keywords) => {
      const signature = { name: "expandtabs", parameters: ["tabsize"], required: 0 };
      const [size = 8] = bindArguments(signature, args, keywords);
      return expandTabs(text, integerArgument(size));
    }) satisfies StringMethod,
    find: findMethod("find", false, false),
    index: findMethod("index", false, true),
    isascii: simple("isascii", (text) => /^\p{ASCII}*$/u.test(text)),
    islower: simple("islower", isLower),
    isprintable: simple("isprintable", isPrintable),
    istitle: simple("istitle", isTitle),
    isupper: simple("isupper", isUpper),
    ...Object.fromEntries(
      Object.entries(characterTests).map(([name, pattern]) => [
        name,
        simple(name, (text) => pattern.test(text)),
      ]),
    ),
    join: method("join", ["iterable"], 1, (text, items = null) => joinTexts(text, items)),
    ljust: justifyMethod("ljust"),
    lower: simple("lower", (text) => text.toLowerCase()),
    lstrip: stripMethod("lstrip", "left"),
    partition: partitionMethod("partition", false),
    removeprefix: method("removeprefix", ["prefix"], 1, (text, value) => {
      const prefix = textArgument(value);
      return text.startsWith(prefix) ? text.slice(prefix.length) : text;
    }),
    removesuffix: method("removesuffix", ["suffix"], 1, (text, value) => {
      const suffix = textArgument(value);
      return text.endsWith(suffix) ? text.slice(0, text.length - suffix.length) : text;
    }),
    replace: method("replace", ["old", "new", "count"], 2, (text, old, replacement, count = -1) =>
      replaceText(text, textArgument(old), textArgument(replacement), integerArgument(count)),
    ),
    rfind: findMethod("rfind", true, false),
    rindex: findMethod("rindex", true, true),
    rjust: justifyMethod("rjust"),
    rpartition: partitionMethod("rpartition", true),
    rsplit: splitMethod("rsplit", splitFromRight, splitAtSpaceFromRight),
    rstrip: stripMethod("rstrip", "right"),
    split: splitMethod("split", split, splitAtSpace),
    splitlines: ((text, args, keywords) => {
      const signature = { name: "splitlines", parameters: ["keepends"], required: 0 };
      const [keepEnds = false] = bindArguments(signature, args, keywords);
      return splitLines(text, isTrue(keepEnds));
    }) satisfies StringMethod,
    startswith: affixMethod("startswith"),
    strip: stripMethod("strip", "both"),
    swapcase: simple("swapcase", swapCase),
    title: simple("title", titleText),
    upper: simple("upper", (text) => text.toUpperCase()),
    zfill: method("zfill", ["width"], 1, (text, width = null) => {
      const missing = integerArgument(width) - characters(text).length;
      if (missing <= 0) return text;
      const head = /^[-+]/.exec(text)?.[0] ?? "";
      return head + repeatText("0", missing) + text.slice(head.length);
    }),
    casefold: refuse("casefold"),
    encode: refuse("encode"),
    maketrans: refuse("maketrans"),
    translate: refuse("translate"),
  }),
);
