/**
 * Compiles for loops, with filters, `loop`, `else` and recursion.
 */
import { templateTextUnitsMax } from "../limits.ts";
import { boundExceeded } from "./errors.ts";
import type { Position } from "./expression-compiler.ts";
import { type Assign, broken, completed, type Evaluate, Frame, type Run } from "./frame.ts";
import { iterate, sizedItems } from "./iteration.ts";
import { LoopContext, type Recurse } from "./loop-context.ts";
import { readsName, undeclaredNames } from "./name-usage.ts";
import { analyzeBody, analyzeExpression, analyzeTarget } from "./scope-analysis.ts";
import { type Scope, Unit } from "./scopes.ts";
import type { BodyPosition, StatementParts } from "./statement-compiler.ts";
import type { Expression, ForStatement } from "./syntax-tree.ts";
import { isTrue, type Value } from "./values.ts";

interface Loop {
  readonly line: number;
  /** Sets up the scope of one round, after the target was assigned. */
  readonly enter: (frame: Frame) => void;
  readonly assign: Assign;
  readonly body: Run;
  readonly otherwise: Run | null;
  /** Gives the items that pass the loop's own `if`. */
  readonly choose: ((frame: Frame, items: Value) => Iterator<Value>) | null;
  /** Where `loop` lives, when the body mentions it. */
  readonly loopSlot: number | null;
}

export function compileLoop(
  node: ForStatement,
  position: BodyPosition,
  parts: StatementParts,
): Run {
  const iterable = parts.expression(node.iterable, position);
  if (node.recursive) return compileRecursiveLoop(node, position, parts, iterable);
  const loop = compileRounds(node, position.scope, parts);
  return (frame) => {
    frame.state.line = node.line;
    return runLoop(loop, frame, iterable(frame), null, 0);
  };
}

/** A recursive loop is a function that its own body may call. */
function compileRecursiveLoop(
  node: ForStatement,
  position: BodyPosition,
  parts: StatementParts,
  iterable: Evaluate,
): Run {
  const unit = new Unit(position.scope.unit);
  const loop = compileRounds(node, position.scope.inner(unit), parts);
  return (outer) => {
    const recurse: Recurse = (items, depth) => {
      const frame = new Frame(outer.state, outer, unit.slotCount);
      return outer.state.call(frame, () => runLoop(loop, frame, items, recurse, depth));
    };
    outer.state.line = node.line;
    outer.output += recurse(iterable(outer), 0);
    return completed;
  };
}

function compileRounds(node: ForStatement, outer: Scope, parts: StatementParts): Loop {
  const scope = outer.inner();
  const usesLoop =
    node.recursive ||
    undeclaredNames(node.body, ["loop"]).has("loop") ||
    (node.condition !== null && readsName(node.condition, "loop"));
  const loopSlot = usesLoop ? scope.declareParameter("loop").slot : null;
  analyzeTarget(scope, node.target, true);
  analyzeBody(scope, node.body);
  const position: Position = { scope, soft: false };
  return {
    line: node.line,
    loopSlot,
    enter: parts.entry(scope),
    assign: parts.target(node.target, scope),
    body: parts.body(node.body, { ...position, inLoop: true }),
    otherwise: node.otherwise.length === 0 ? null : compileElse(node, outer, parts),
    choose: node.condition === null ? null : compileChoice(node, node.condition, outer, parts),
  };
}

function compileElse(node: ForStatement, outer: Scope, parts: StatementParts): Run {
  const scope = outer.inner();
  analyzeBody(scope, node.otherwise);
  const enter = parts.entry(scope);
  const body = parts.body(node.otherwise, { scope, soft: false, inLoop: false });
  return (frame) => {
    enter(frame);
    return body(frame);
  };
}

function compileChoice(
  node: ForStatement,
  condition: Expression,
  outer: Scope,
  parts: StatementParts,
) {
  const scope = outer.inner();
  analyzeTarget(scope, node.target, true);
  analyzeExpression(scope, condition);
  const enter = parts.entry(scope);
  const assign = parts.target(node.target, scope);
  const matches = parts.expression(condition, { scope, soft: false });
  return function* (frame: Frame, source: Value): Generator<Value> {
    enter(frame);
    const items = iterate(source);
    for (let step = items.next(); step.done !== true; step = items.next()) {
      frame.state.countIteration();
      assign(frame, step.value);
      if (isTrue(matches(frame))) yield step.value;
    }
  };
}

/** Jinja's else also runs when no round came to its end: one that breaks does not count. */
function runLoop(
  loop: Loop,
  frame: Frame,
  source: Value,
  recurse: Recurse | null,
  depth: number,
): ReturnType<Run> {
  const chosen = loop.choose?.(frame, source);
  let anyCompleted: boolean;
  if (loop.loopSlot !== null) {
    const context = new LoopContext(chosen ?? source, recurse, depth);
    frame.slots[loop.loopSlot] = context;
    anyCompleted = runRounds(loop, frame, () => {
      // A loop inside this round may have taken the slot's name, never the slot.
      return context.advance();
    });
  } else {
    const sized = chosen === undefined ? sizedItems(source) : undefined;
    anyCompleted =
      sized === undefined
        ? runRounds(loop, frame, nextOf(chosen ?? iterate(source)))
        : runSized(loop, frame, sized);
  }
  return anyCompleted || loop.otherwise === null ? completed : loop.otherwise(frame);
}

function nextOf(iterator: Iterator<Value>): () => Value | undefined {
  return () => {
    const step = iterator.next();
    return step.done === true ? undefined : step.value;
  };
}

/** Runs all rounds; true when one of them came to its end. */
function runRounds(loop: Loop, frame: Frame, next: () => Value | undefined): boolean {
  let anyCompleted = false;
  for (let item = next(); item !== undefined; item = next()) {
    const completion = runRound(loop, frame, item);
    if (completion === completed) anyCompleted = true;
    if (completion === broken) break;
  }
  return anyCompleted;
}

function runSized(loop: Loop, frame: Frame, items: readonly Value[]): boolean {
  let anyCompleted = false;
  for (const item of items) {
    const completion = runRound(loop, frame, item);
    if (completion === completed) anyCompleted = true;
    if (completion === broken) break;
  }
  return anyCompleted;
}

function runRound(loop: Loop, frame: Frame, item: Value): ReturnType<Run> {
  frame.state.countIteration();
  if (frame.output.length > templateTextUnitsMax) throw boundExceeded("length of the output");
  loop.assign(frame, item);
  loop.enter(frame);
  return loop.body(frame);
}
