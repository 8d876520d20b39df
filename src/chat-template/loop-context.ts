/**
 * The variable `loop` inside a for loop: where the loop stands, and one item of look-ahead.
 */
import { equal } from "./equality.ts";
import { typeError } from "./errors.ts";
import { iterate, optionalLength } from "./iteration.ts";
import {
  type PythonCall,
  PythonFunction,
  PythonObject,
  type Represent,
  Tuple,
  Undefined,
  type Value,
} from "./values.ts";

/** Renders the body of a recursive loop for other items, one level deeper. */
export type Recurse = (items: Value, depth: number) => string;

export class LoopContext extends PythonObject {
  readonly typeName = "LoopContext";
  readonly #recurse: Recurse | null;
  readonly #depth: number;
  #iterator: Iterator<Value>;
  #length: number | undefined;
  #index = -1;
  #previous: Value | undefined;
  #current: Value | undefined;
  /** An item taken from the iterator before its turn. */
  #ahead: IteratorResult<Value> | undefined;
  #lastChanged: Tuple | undefined;

  /** `depth` counts from 0. */
  constructor(source: Value | Iterator<Value>, recurse: Recurse | null = null, depth = 0) {
    super();
    this.#recurse = recurse;
    this.#depth = depth;
    if (isIterator(source)) {
      this.#iterator = source;
    } else {
      this.#iterator = iterate(source);
      this.#length = optionalLength(source);
    }
  }

  /** The next item, or undefined when there is none. */
  advance(): Value | undefined {
    const step = this.#ahead ?? this.#iterator.next();
    this.#ahead = undefined;
    if (step.done === true) {
      this.#ahead = step;
      return undefined;
    }
    this.#index += 1;
    this.#previous = this.#current;
    this.#current = step.value;
    return step.value;
  }

  #peek(): Value | undefined {
    this.#ahead ??= this.#iterator.next();
    return this.#ahead.done === true ? undefined : this.#ahead.value;
  }

  /** Takes the rest of an iterator that has no length to find out. */
  override length(): number {
    if (this.#length !== undefined) return this.#length;
    const isAhead = this.#ahead !== undefined && this.#ahead.done !== true;
    const rest: Value[] = [];
    for (let step = this.#iterator.next(); step.done !== true; step = this.#iterator.next()) {
      rest.push(step.value);
    }
    this.#iterator = rest.values();
    this.#length = rest.length + this.#index + 1 + (isAhead ? 1 : 0);
    return this.#length;
  }

  represent(_represent: Represent): string {
    return `<LoopContext ${this.#index + 1}/${this.length()}>`;
  }

  /** Iterating over `loop` takes the items from the loop itself. */
  override *iterator(): Generator<Value> {
    for (let item = this.advance(); item !== undefined; item = this.advance()) {
      yield new Tuple([item, this]);
    }
  }

  override isTrue(): boolean {
    return this.length() !== 0;
  }

  override attribute(name: string): Value | undefined {
    switch (name) {
      case "index":
        return this.#index + 1;
      case "index0":
        return this.#index;
      case "first":
        return this.#index === 0;
      case "last":
        return this.#peek() === undefined;
      case "length":
        return this.length();
      case "revindex":
        return this.length() - this.#index;
      case "revindex0":
        return this.length() - this.#index - 1;
      case "previtem":
        return neighbour(this.#previous, "there is no previous item");
      case "nextitem":
        return neighbour(this.#peek(), "there is no next item");
      case "depth":
        return this.#depth + 1;
      case "depth0":
        return this.#depth;
      case "cycle":
        return new PythonFunction("cycle", (args) => this.#cycle(args), "method");
      case "changed":
        return new PythonFunction("changed", (args) => this.#changed(args), "method");
      default:
        return undefined;
    }
  }

  #cycle(args: Value[]): Value {
    if (args.length === 0) throw typeError("no items for cycling given");
    return args[this.#index % args.length] as Value;
  }

  #changed(args: Value[]): Value {
    const values = new Tuple(args);
    if (this.#lastChanged !== undefined && equal(this.#lastChanged, values)) return false;
    this.#lastChanged = values;
    return true;
  }

  override get callable(): PythonCall {
    return (args) => {
      if (this.#recurse === null) {
        throw typeError("The loop must have the 'recursive' marker to be called recursively.");
      }
      const [items] = args;
      if (items === undefined || args.length > 1) {
        throw typeError(`loop() takes one argument (${args.length} given)`);
      }
      return this.#recurse(items, this.#depth + 1);
    };
  }
}

function neighbour(item: Value | undefined, reason: string): Value {
  return item === undefined ? new Undefined(reason) : item;
}

function isIterator(source: Value | Iterator<Value>): source is Iterator<Value> {
  return typeof source === "object" && source !== null && "next" in source;
}
