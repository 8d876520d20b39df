/**
 * What a compiled template runs on: one frame per running function (the template itself, a macro, a
 * recursive loop), one state per render.
 */
import { bounds } from "./bounds.ts";
import type { Environment, Filter, Test } from "./environment.ts";
import { boundExceeded } from "./errors.ts";
import { filters } from "./filters.ts";
import { tests } from "./tests.ts";
import type { Value } from "./values.ts";

export class RenderState implements Environment {
  readonly filters: ReadonlyMap<string, Filter> = filters;
  readonly tests: ReadonlyMap<string, Test> = tests;
  /** Values of the names that the template takes from outside; undefined where there is none. */
  readonly context: readonly (Value | undefined)[];
  /** The line that runs, for errors. */
  line = 1;
  #iterations = 0;
  #depth = 0;

  constructor(context: readonly (Value | undefined)[]) {
    this.context = context;
  }

  countIteration(): void {
    this.#iterations += 1;
    if (this.#iterations > bounds.iterations) throw boundExceeded("number of loop iterations");
  }

  /** Runs the body of a macro or a recursive loop in a frame of its own; gives what it printed. */
  call(frame: Frame, body: Run): string {
    this.#depth += 1;
    if (this.#depth > bounds.callDepth) throw boundExceeded("depth of macro calls");
    body(frame);
    this.#depth -= 1;
    return frame.output;
  }
}

export class Frame {
  readonly state: RenderState;
  readonly parent: Frame | null;
  /** Variables by the slot that the compiler gave them; undefined while a variable has no value. */
  readonly slots: (Value | undefined)[];
  /** What was printed so far. */
  output = "";

  constructor(state: RenderState, parent: Frame | null, slotCount: number) {
    this.state = state;
    this.parent = parent;
    this.slots = new Array(slotCount);
  }
}

/** How a statement ended. */
export type Completion = typeof completed | typeof broken | typeof continued;
export const completed = 0;
export const broken = 1;
export const continued = 2;

/** A compiled statement or body. */
export type Run = (frame: Frame) => Completion;
/** A compiled expression. */
export type Evaluate = (frame: Frame) => Value;
/** A compiled assignment target. */
export type Assign = (frame: Frame, value: Value) => void;

/** Runs a body aside from the output; gives what it printed, or null when it broke out. */
export function capture(frame: Frame, body: Run): { text: string; completion: Completion } {
  const saved = frame.output;
  frame.output = "";
  const completion = body(frame);
  const text = frame.output;
  frame.output = saved;
  return { text, completion };
}
