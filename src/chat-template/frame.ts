/**
 * What a compiled template runs on: one frame per running function (the template itself, a macro, a
 * recursive loop), one state per render.
 */
import { templateCallDepthMax, templateIterationsMax } from "../limits.ts";
import type { Environment, Filter, Test } from "./environment.ts";
import { boundExceeded, type TemplateFailure } from "./errors.ts";
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
    if (this.#iterations > templateIterationsMax) throw boundExceeded("number of loop iterations");
  }

  /** Runs the body of a macro or a recursive loop in a frame of its own; gives what it printed. */
  call(frame: Frame, body: Run): string {
    this.#depth += 1;
    if (this.#depth > templateCallDepthMax) throw boundExceeded("depth of macro calls");
    body(frame);
    this.#depth -= 1;
    return finishedOutput(frame);
  }
}

export class Frame {
  readonly state: RenderState;
  readonly parent: Frame | null;
  /** Variables by the slot that the compiler gave them; undefined while a variable has no value. */
  readonly slots: (Value | undefined)[];
  /** What was printed so far. */
  output = "";
  /** Something else than text was put out: an error once the output is put together. */
  outputError: TemplateFailure | null = null;

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

/** The output of a body that came to its end. */
export function finishedOutput(frame: Frame): string {
  if (frame.outputError !== null) throw frame.outputError;
  return frame.output;
}

/** Runs a body aside from the output; gives what it printed and how it ended. */
export function capture(frame: Frame, body: Run): { text: string; completion: Completion } {
  const { output, outputError } = frame;
  frame.output = "";
  frame.outputError = null;
  const completion = body(frame);
  const text = completion === completed ? finishedOutput(frame) : "";
  frame.output = output;
  frame.outputError = outputError;
  return { text, completion };
}
