/**
 * Macros: compiling their bodies and binding their arguments.
 */
import { templateAssertion, typeError } from "./errors.ts";
import { type Evaluate, Frame, type Run } from "./frame.ts";
import { undeclaredNames } from "./name-usage.ts";
import { represent } from "./printing.ts";
import { analyzeBody, analyzeExpression } from "./scope-analysis.ts";
import { type Scope, Unit } from "./scopes.ts";
import type { StatementParts } from "./statement-compiler.ts";
import type { MacroDefinition } from "./syntax-tree.ts";
import {
  type Keywords,
  type PythonCall,
  PythonObject,
  Tuple,
  Undefined,
  type Value,
} from "./values.ts";

interface CompiledParameter {
  readonly name: string;
  readonly slot: number;
  readonly missing: Evaluate;
}

interface CompiledMacro {
  /** null for the body of a call block. */
  readonly name: string | null;
  readonly unit: Unit;
  readonly parameters: readonly CompiledParameter[];
  readonly enter: (frame: Frame) => void;
  readonly body: Run;
  /** Slots of the special variables, where the body uses them. */
  readonly callerSlot: number | null;
  readonly keywordsSlot: number | null;
  readonly moreSlot: number | null;
}

/** Compiles a macro; the result makes the macro's value in the frame where it is defined. */
export function compileMacro(
  node: MacroDefinition,
  outer: Scope,
  parts: StatementParts,
): (frame: Frame) => Macro {
  const unit = new Unit(outer.unit);
  const scope = outer.inner(unit);
  for (const { name } of node.parameters) scope.declareParameter(name);
  for (const { missing } of node.parameters)
    if (missing !== null) analyzeExpression(scope, missing);
  const special = undeclaredNames(node.body, ["caller", "kwargs", "varargs"]);
  const declareSpecial = (name: string): number | null => {
    const isParameter = node.parameters.some((parameter) => parameter.name === name);
    return special.has(name) && !isParameter ? scope.declareParameter(name).slot : null;
  };
  checkCallerDefault(node, special);
  const callerSlot = declareSpecial("caller");
  const keywordsSlot = declareSpecial("kwargs");
  const moreSlot = declareSpecial("varargs");
  analyzeBody(scope, node.body);
  const macro: CompiledMacro = {
    name: node.name,
    unit,
    parameters: node.parameters.map(({ name, missing }) => ({
      name,
      slot: scope.find(name)?.slot ?? -1,
      missing:
        missing === null
          ? () => new Undefined(`parameter ${represent(name)} was not provided`)
          : parts.expression(missing, { scope, soft: false }),
    })),
    enter: parts.entry(scope),
    body: parts.body(node.body, { scope, soft: false, inLoop: false }),
    callerSlot,
    keywordsSlot,
    moreSlot,
  };
  return (frame) => new Macro(macro, frame);
}

function checkCallerDefault(node: MacroDefinition, special: ReadonlySet<string>): void {
  const explicit = node.parameters.find((parameter) => parameter.name === "caller");
  if (!special.has("caller") || explicit === undefined || explicit.missing !== null) return;
  throw templateAssertion(
    'When defining macros or call blocks the special "caller" argument must be omitted ' +
      "or be given a default.",
    node.line,
  );
}

export class Macro extends PythonObject {
  readonly typeName = "Macro";
  readonly #macro: CompiledMacro;
  readonly #home: Frame;

  /** `home` is the frame whose variables the body sees. */
  constructor(macro: CompiledMacro, home: Frame) {
    super();
    this.#macro = macro;
    this.#home = home;
  }

  represent(): string {
    const { name } = this.#macro;
    return `<Macro ${name === null ? "anonymous" : represent(name)}>`;
  }

  override attribute(name: string): Value | undefined {
    const { parameters, callerSlot, keywordsSlot, moreSlot } = this.#macro;
    switch (name) {
      case "name":
        return this.#macro.name;
      case "arguments":
        return new Tuple(parameters.map((parameter) => parameter.name));
      case "caller":
        return callerSlot !== null || this.#hasExplicitCaller;
      case "explicit_caller":
        return this.#hasExplicitCaller;
      case "catch_kwargs":
        return keywordsSlot !== null;
      case "catch_varargs":
        return moreSlot !== null;
      default:
        return undefined;
    }
  }

  get #hasExplicitCaller(): boolean {
    return this.#macro.parameters.some((parameter) => parameter.name === "caller");
  }

  override get callable(): PythonCall {
    return (args, keywords) => this.invoke(args, keywords);
  }

  invoke(args: readonly Value[], keywords: Keywords): string {
    const macro = this.#macro;
    const frame = new Frame(this.#home.state, this.#home, macro.unit.slotCount);
    this.#bind(frame, args, keywords);
    return frame.state.call(frame, () => {
      macro.enter(frame);
      for (const { slot, missing } of macro.parameters) {
        if (frame.slots[slot] === undefined) frame.slots[slot] = missing(frame);
      }
      return macro.body(frame);
    });
  }

  #bind(frame: Frame, args: readonly Value[], keywords: Keywords): void {
    const { name, parameters, callerSlot, keywordsSlot, moreSlot } = this.#macro;
    const rest = new Map(keywords);
    for (const [index, parameter] of parameters.entries()) {
      if (index < args.length) {
        frame.slots[parameter.slot] = args[index];
        continue;
      }
      frame.slots[parameter.slot] = rest.get(parameter.name);
      rest.delete(parameter.name);
    }
    if (callerSlot !== null) {
      frame.slots[callerSlot] = rest.get("caller") ?? new Undefined("No caller defined");
      rest.delete("caller");
    }
    if (keywordsSlot !== null) frame.slots[keywordsSlot] = new Map<Value, Value>(rest);
    else this.#checkKeywords(rest);
    if (moreSlot !== null) frame.slots[moreSlot] = new Tuple(args.slice(parameters.length));
    else if (args.length > parameters.length) {
      throw typeError(
        `macro ${represent(name)} takes not more than ${parameters.length} argument(s)`,
      );
    }
  }

  #checkKeywords(rest: Keywords): void {
    const [unknown] = rest.keys();
    if (unknown === undefined) return;
    const name = represent(this.#macro.name);
    if (rest.has("caller")) {
      throw typeError(
        `macro ${name} was invoked with two values for the special caller argument. ` +
          "This is most likely a bug.",
      );
    }
    throw typeError(`macro ${name} takes no keyword argument ${represent(unknown)}`);
  }
}
