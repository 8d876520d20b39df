/**
 * Which variable a name means: Jinja's rules, by which every assignment inside a loop, macro or
 * block makes a variable of that scope, set up from the one outside when the scope is entered.
 *
 * Source     jinja2/idtracking.py: the order in which names are seen decides what a variable holds
 *            before its first assignment, so the analysis follows the original step by step.
 */

/** A function at run time: its variables live in the slots of one frame. */
export class Unit {
  readonly parent: Unit | null;
  slotCount = 0;

  constructor(parent: Unit | null) {
    this.parent = parent;
  }
}

export interface Variable {
  readonly name: string;
  readonly unit: Unit;
  readonly slot: number;
  /** Some statement or parameter of its scope assigns it. */
  assigned: boolean;
}

/** What a variable holds when its scope is entered. */
export type Initial =
  | { kind: "parameter" }
  | { kind: "undefined" }
  | { kind: "context" }
  | { kind: "copy"; of: Variable };

export class Scope {
  readonly parent: Scope | null;
  readonly unit: Unit;
  readonly #known: Map<string, Variable>;
  readonly #variables: Map<string, Variable>;
  readonly #initials: Map<Variable, Initial>;
  readonly #stores: Set<string>;

  private constructor(parent: Scope | null, unit: Unit, copied: Scope | null = null) {
    this.parent = parent;
    this.unit = unit;
    // Branches of one scope that mention a name mean one variable.
    this.#known = copied === null ? new Map() : copied.#known;
    this.#variables = new Map(copied === null ? [] : copied.#variables);
    this.#initials = new Map(copied === null ? [] : copied.#initials);
    this.#stores = new Set(copied === null ? [] : copied.#stores);
  }

  static root(): Scope {
    return new Scope(null, new Unit(null));
  }

  /** A scope inside this one; with `unit` that of a function of its own. */
  inner(unit: Unit = this.unit): Scope {
    return new Scope(this, unit);
  }

  /** The same scope as seen by one branch of an `if`. */
  branch(): Scope {
    return new Scope(this.parent, this.unit, this);
  }

  find(name: string): Variable | undefined {
    return this.#variables.get(name) ?? this.parent?.find(name);
  }

  initialOf(variable: Variable): Initial | undefined {
    return this.#initials.get(variable) ?? this.parent?.initialOf(variable);
  }

  initials(): IterableIterator<[Variable, Initial]> {
    return this.#initials.entries();
  }

  #define(name: string, initial: Initial): Variable {
    let variable = this.#known.get(name);
    if (variable === undefined) {
      variable = { name, unit: this.unit, slot: this.unit.slotCount, assigned: false };
      this.unit.slotCount += 1;
      this.#known.set(name, variable);
    }
    this.#variables.set(name, variable);
    this.#initials.set(variable, initial);
    return variable;
  }

  /** A loop target, a macro's parameter: assigned before anything else happens. */
  declareParameter(name: string): Variable {
    this.#stores.add(name);
    const variable = this.#define(name, { kind: "parameter" });
    variable.assigned = true;
    return variable;
  }

  /** A name is assigned. */
  store(name: string): void {
    this.#stores.add(name);
    let variable = this.#variables.get(name);
    if (variable === undefined) {
      const outer = this.parent?.find(name);
      const initial: Initial = outer ? { kind: "copy", of: outer } : { kind: "undefined" };
      variable = this.#define(name, initial);
    }
    variable.assigned = true;
  }

  /** A name is read. */
  load(name: string): void {
    if (this.find(name) === undefined) this.#define(name, { kind: "context" });
  }

  /** Takes up what the branches of an `if` did; a name that not all assign may have been before. */
  merge(branches: readonly Scope[]): void {
    const counts = new Map<string, number>();
    for (const branch of branches) {
      for (const name of branch.#stores) {
        if (!this.#stores.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
    for (const branch of branches) {
      for (const [name, variable] of branch.#variables) this.#variables.set(name, variable);
      for (const [variable, initial] of branch.#initials) this.#initials.set(variable, initial);
      for (const name of branch.#stores) this.#stores.add(name);
    }
    for (const [name, count] of counts) {
      const variable = this.find(name);
      if (count === branches.length || variable === undefined) continue;
      const outer = this.parent?.find(name);
      this.#initials.set(variable, outer ? { kind: "copy", of: outer } : { kind: "context" });
    }
  }
}
