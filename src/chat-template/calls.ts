/**
 * Compiles calls: arguments by place, by name, unpacked from values, and methods of built-in types
 * without a detour over a bound method.
 */
import { dictionaryMethods } from "./dictionary-methods.ts";
import { typeError } from "./errors.ts";
import type { Evaluate, Frame } from "./frame.ts";
import { listItems } from "./iteration.ts";
import { getAttribute, textMethods } from "./lookup.ts";
import { represent } from "./printing.ts";
import {
  type Keywords,
  noArguments,
  noKeywords,
  PythonObject,
  typeName,
  Undefined,
  type Value,
} from "./values.ts";

export interface CompiledArguments {
  readonly positional: (frame: Frame) => Value[];
  readonly keywords: (frame: Frame) => Keywords;
}

interface ArgumentParts {
  readonly positional: readonly Evaluate[];
  readonly keywords: readonly (readonly [name: string, value: Evaluate])[];
  readonly morePositional: Evaluate | null;
  readonly moreKeywords: Evaluate | null;
}

export function compileCallArguments(parts: ArgumentParts): CompiledArguments {
  return { positional: compilePositional(parts), keywords: compileKeywords(parts) };
}

function compilePositional({ positional, morePositional }: ArgumentParts) {
  const [first] = positional;
  if (morePositional !== null) {
    return (frame: Frame) => [
      ...positional.map((argument) => argument(frame)),
      ...listItems(morePositional(frame)),
    ];
  }
  if (first === undefined) return () => noArguments;
  if (positional.length === 1) return (frame: Frame) => [first(frame)];
  return (frame: Frame) => positional.map((argument) => argument(frame));
}

function compileKeywords({ keywords, moreKeywords }: ArgumentParts): (frame: Frame) => Keywords {
  if (keywords.length === 0 && moreKeywords === null) return () => noKeywords;
  return (frame) => {
    const named = new Map<string, Value>();
    for (const [name, value] of keywords) named.set(name, value(frame));
    if (moreKeywords !== null) addKeywords(named, moreKeywords(frame));
    return named;
  };
}

function addKeywords(named: Map<string, Value>, more: Value): void {
  if (more instanceof Undefined) throw more.error();
  if (!(more instanceof Map)) {
    throw typeError(`argument after ** must be a mapping, not ${typeName(more)}`);
  }
  for (const [name, value] of more) {
    if (typeof name !== "string") throw typeError("keywords must be strings");
    if (named.has(name)) {
      throw typeError(`got multiple values for keyword argument ${represent(name)}`);
    }
    named.set(name, value);
  }
}

/** subject(...), or subject.method(...) when `method` is no null. */
export function compileCall(
  subject: Evaluate,
  method: string | null,
  { positional, keywords }: CompiledArguments,
): Evaluate {
  if (method === null) {
    return (frame) => callValue(subject(frame), positional(frame), keywords(frame));
  }
  const ofText = textMethods.get(method);
  const ofDictionary = dictionaryMethods.get(method);
  return (frame) => {
    const self = subject(frame);
    if (typeof self === "string" && ofText !== undefined) {
      return ofText(self, positional(frame), keywords(frame));
    }
    if (self instanceof Map && ofDictionary !== undefined) {
      return ofDictionary(self, positional(frame), keywords(frame));
    }
    return callValue(getAttribute(self, method), positional(frame), keywords(frame));
  };
}

function callValue(callee: Value, args: Value[], keywords: Keywords): Value {
  const call = callee instanceof PythonObject ? callee.callable : undefined;
  if (call === undefined) throw typeError(`'${typeName(callee)}' object is not callable`);
  return call(args, keywords);
}
