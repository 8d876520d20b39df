/**
 * The iterable values that Python has and JSON has not: range, the views of a dict, iterators.
 */
import { PythonObject, type Represent, Tuple, type Value } from "./values.ts";

export class PythonRange extends PythonObject {
  readonly typeName = "range";
  readonly start: number;
  readonly stop: number;
  readonly step: number;
  readonly count: number;

  /** `step` is not zero. */
  constructor(start: number, stop: number, step: number) {
    super();
    this.start = start;
    this.stop = stop;
    this.step = step;
    this.count = Math.max(0, Math.ceil((stop - start) / step));
  }

  at(index: number): number {
    return this.start + index * this.step;
  }

  represent(): string {
    const step = this.step === 1 ? "" : `, ${this.step}`;
    return `range(${this.start}, ${this.stop}${step})`;
  }

  override length(): number {
    return this.count;
  }

  override *iterator(): Generator<Value> {
    for (let index = 0; index < this.count; index += 1) yield this.at(index);
  }

  override attribute(name: string): Value | undefined {
    if (name === "start" || name === "stop" || name === "step") return this[name];
    return undefined;
  }

  override equals(other: Value): boolean {
    if (!(other instanceof PythonRange) || other.count !== this.count) return false;
    if (this.count === 0) return true;
    return this.start === other.start && (this.count === 1 || this.step === other.step);
  }
}

export type ViewKind = "keys" | "values" | "items";

/** dict.keys(), dict.values(), dict.items() */
export class DictionaryView extends PythonObject {
  readonly typeName: string;
  readonly kind: ViewKind;
  readonly dictionary: ReadonlyMap<Value, Value>;

  constructor(kind: ViewKind, dictionary: ReadonlyMap<Value, Value>) {
    super();
    this.typeName = `dict_${kind}`;
    this.kind = kind;
    this.dictionary = dictionary;
  }

  items(): Value[] {
    if (this.kind === "keys") return [...this.dictionary.keys()];
    if (this.kind === "values") return [...this.dictionary.values()];
    const items: Value[] = [];
    for (const entry of this.dictionary) items.push(new Tuple(entry));
    return items;
  }

  represent(represent: Represent): string {
    return `${this.typeName}(${represent(this.items())})`;
  }

  override length(): number {
    return this.dictionary.size;
  }

  override iterator(): Iterator<Value> {
    return this.items().values();
  }

  /** Views of keys and items compare as sets, views of values by identity. */
  override equals(other: Value, equal: (left: Value, right: Value) => boolean): boolean {
    if (this === other) return true;
    if (!(other instanceof DictionaryView) || this.kind === "values" || other.kind === "values") {
      return false;
    }
    if (this.dictionary.size !== other.dictionary.size) return false;
    const others = other.items();
    return this.items().every((item) => others.some((candidate) => equal(item, candidate)));
  }
}

/** An iterator: what it gave is gone, for this reader and every other. */
export class PythonIterator extends PythonObject {
  readonly typeName: string;
  readonly #source: Iterator<Value>;

  constructor(typeName: string, source: Iterator<Value>) {
    super();
    this.typeName = typeName;
    this.#source = source;
  }

  represent(): string {
    return `<${this.typeName} object>`;
  }

  override isTrue(): boolean {
    return true;
  }

  override iterator(): Iterator<Value> {
    return this.#source;
  }
}

/** A tuple whose fields also have names: what groupby gives. */
export class GroupTuple extends Tuple {
  override attribute(name: string): Value | undefined {
    if (name === "grouper") return this.items[0];
    return name === "list" ? this.items[1] : undefined;
  }
}
