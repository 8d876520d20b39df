/**
 * Whether statements read a special name (`loop`, `caller`, ...) before they assign it themselves.
 */
import {
  type Expression,
  type MacroDefinition,
  type Statement,
  subexpressions,
  type Target,
} from "./syntax-tree.ts";

/** Those of the names that the statements, nested ones included, take from outside. */
export function undeclaredNames(
  statements: readonly Statement[],
  names: readonly string[],
): Set<string> {
  const search = new Search(names);
  search.statements(statements);
  return search.found;
}

export function readsName(node: Expression, name: string): boolean {
  const search = new Search([name]);
  search.expression(node);
  return search.found.has(name);
}

class Search {
  readonly found = new Set<string>();
  readonly #open: Set<string>;

  constructor(names: readonly string[]) {
    this.#open = new Set(names);
  }

  statements(statements: readonly Statement[]): void {
    for (const statement of statements) this.#statement(statement);
  }

  expression(node: Expression | null): void {
    if (node === null) return;
    if (node.kind === "name" && this.#open.has(node.name)) this.found.add(node.name);
    for (const part of subexpressions(node)) this.expression(part);
  }

  #target(target: Target): void {
    if (target.kind === "name") this.#open.delete(target.name);
    if (target.kind === "tuple") for (const item of target.items) this.#target(item);
  }

  #macro({ parameters, body }: MacroDefinition): void {
    for (const parameter of parameters) this.#open.delete(parameter.name);
    for (const parameter of parameters) this.expression(parameter.missing);
    this.statements(body);
  }

  /** In the order of the fields of Jinja's nodes, which its search follows. */
  #statement(node: Statement): void {
    switch (node.kind) {
      case "output":
        for (const part of node.parts) if (typeof part !== "string") this.expression(part);
        return;
      case "if":
        this.expression(node.condition);
        this.statements(node.body);
        this.statements(node.elifs);
        this.statements(node.otherwise);
        return;
      case "for":
        this.#target(node.target);
        this.expression(node.iterable);
        this.statements(node.body);
        this.statements(node.otherwise);
        this.expression(node.condition);
        return;
      case "set":
        this.#target(node.target);
        this.expression(node.value);
        return;
      case "set block":
        this.#target(node.target);
        this.expression(node.filter);
        this.statements(node.body);
        return;
      case "filter block":
        this.statements(node.body);
        this.expression(node.filter);
        return;
      case "with":
        for (const target of node.targets) this.#target(target);
        for (const value of node.values) this.expression(value);
        this.statements(node.body);
        return;
      case "call block":
        this.expression(node.call);
        this.#macro(node.macro);
        return;
      case "generation":
        this.#macro(node.macro);
        return;
      case "macro":
        this.#macro(node);
        return;
      default:
        return;
    }
  }
}
