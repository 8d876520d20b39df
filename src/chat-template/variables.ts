/**
 * Compiles access to variables: reading, assigning, and setting up a scope when it is entered.
 */
import { runtimeError, typeError } from "./errors.ts";
import type { Assign, Evaluate, Frame } from "./frame.ts";
import { unpack } from "./iteration.ts";
import { represent } from "./printing.ts";
import type { Scope, Unit, Variable } from "./scopes.ts";
import type { Target } from "./syntax-tree.ts";
import { Namespace, typeName, Undefined, type Value } from "./values.ts";

type Read = (frame: Frame) => Value | undefined;

/** The names that a template takes from its variables and globals, each with its index. */
export class ContextNames {
  readonly names: string[] = [];

  indexOf(name: string): number {
    const index = this.names.indexOf(name);
    return index >= 0 ? index : this.names.push(name) - 1;
  }
}

/** The value of a name, an Undefined when it has none. */
export function compileName(name: string, scope: Scope, context: ContextNames): Evaluate {
  const read = compileRead(name, scope, context);
  return (frame) => {
    const value = read(frame);
    return value === undefined ? undefinedName(name) : value;
  };
}

function undefinedName(name: string): Undefined {
  return new Undefined(() => `${represent(name)} is undefined`);
}

function compileRead(name: string, scope: Scope, context: ContextNames): Read {
  const variable = scope.find(name);
  if (variable === undefined) return readContext(name, context);
  return readVariable(variable, scope, context);
}

function readVariable(variable: Variable, scope: Scope, context: ContextNames): Read {
  // A variable that nothing assigns is the context's value all along and needs no slot.
  if (scope.initialOf(variable)?.kind === "context" && !variable.assigned) {
    return readContext(variable.name, context);
  }
  return readSlot(variable, scope.unit);
}

function readContext(name: string, context: ContextNames): Read {
  const index = context.indexOf(name);
  return (frame) => frame.state.context[index];
}

function readSlot({ slot, unit }: Variable, from: Unit): Read {
  if (unit === from) return (frame) => frame.slots[slot];
  let depth = 0;
  for (let at: Unit | null = from; at !== unit && at !== null; at = at.parent) depth += 1;
  if (depth === 1) return (frame) => frame.parent?.slots[slot];
  return (frame) => {
    let at: Frame | null = frame;
    for (let level = 0; level < depth && at !== null; level += 1) at = at.parent;
    return at?.slots[slot];
  };
}

/** Gives the variables of a scope what they hold before anything in it runs. */
export function compileEntry(scope: Scope, context: ContextNames): (frame: Frame) => void {
  const steps: { slot: number; read: Read }[] = [];
  for (const [variable, initial] of scope.initials()) {
    const { slot, name } = variable;
    if (initial.kind === "undefined") steps.push({ slot, read: () => undefined });
    if (initial.kind === "copy") {
      steps.push({ slot, read: readVariable(initial.of, scope, context) });
    }
    if (initial.kind === "context" && variable.assigned) {
      steps.push({ slot, read: readContext(name, context) });
    }
  }
  if (steps.length === 0) return () => {};
  return (frame) => {
    for (const { slot, read } of steps) frame.slots[slot] = read(frame);
  };
}

export function compileTarget(target: Target, scope: Scope, context: ContextNames): Assign {
  switch (target.kind) {
    case "name": {
      const slot = scope.find(target.name)?.slot ?? -1;
      return (frame, value) => {
        frame.slots[slot] = value;
      };
    }
    case "namespace": {
      const read = compileRead(target.name, scope, context);
      return (frame, value) => assignItem(read(frame), target.attribute, value);
    }
    case "tuple": {
      const assigns = target.items.map((item) => compileTarget(item, scope, context));
      return (frame, value) => {
        const items = unpack(value, assigns.length);
        for (let index = 0; index < assigns.length; index += 1) {
          assigns[index]?.(frame, items[index] as Value);
        }
      };
    }
  }
}

/** Only `{% set %}` with a block gets here without the check below. */
function assignItem(container: Value | undefined, name: string, value: Value): void {
  if (container instanceof Namespace) {
    container.assign(name, value);
    return;
  }
  if (container instanceof Map) {
    throw runtimeError("assigning to an item of a dict is not supported by this template engine");
  }
  const type = container === undefined ? "_MissingType" : typeName(container);
  throw typeError(`'${type}' object does not support item assignment`);
}

/** Checks, before a value is computed, that what it will be assigned to can take it. */
export function compileTargetCheck(
  target: Target,
  scope: Scope,
  context: ContextNames,
): ((frame: Frame) => void) | null {
  const names = namespaceNames(target);
  if (names.length === 0) return null;
  const checks = names.map((name) => compileNamespace(name, scope, context));
  return (frame) => {
    for (const check of checks) check(frame);
  };
}

function namespaceNames(target: Target): string[] {
  if (target.kind === "namespace") return [target.name];
  return target.kind === "tuple" ? target.items.flatMap(namespaceNames) : [];
}

function compileNamespace(
  name: string,
  scope: Scope,
  context: ContextNames,
): (frame: Frame) => Namespace {
  const read = compileRead(name, scope, context);
  return (frame) => {
    const value = read(frame);
    if (value instanceof Namespace) return value;
    throw runtimeError("cannot assign attribute on non-namespace object");
  };
}
