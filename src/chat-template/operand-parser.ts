/**
 * Parses the operands of expressions: literals, names, brackets, attributes, items, calls, filters,
 * tests, and the tuples and targets that are made of them.
 */
import { asTarget } from "./assignment-target.ts";
import { syntaxError } from "./errors.ts";
import {
  type CallArguments,
  type Expression,
  emptyArguments,
  type FilterExpression,
  type Target,
} from "./syntax-tree.ts";
import { describeToken, type TokenStream } from "./token-stream.ts";

export abstract class OperandParser {
  protected readonly stream: TokenStream;

  constructor(stream: TokenStream) {
    this.stream = stream;
  }

  /** An expression; without `conditional` an `if` ends it. */
  abstract expression(conditional?: boolean): Expression;

  protected unary(withFilters: boolean): Expression {
    const stream = this.stream;
    let node: Expression;
    if (stream.isOperator("-", "+")) {
      const { line, text } = stream.next();
      node = { kind: "sign", line, sign: text as "-" | "+", operand: this.unary(false) };
    } else {
      node = this.primary();
    }
    node = this.#postfix(node);
    return withFilters ? this.#filters(node) : node;
  }

  primary(): Expression {
    const stream = this.stream;
    const token = stream.current;
    const { line } = token;
    switch (token.kind) {
      case "name":
        stream.next();
        return nameOrConstant(token.text, line);
      case "string": {
        let value = "";
        while (stream.is("string")) value += stream.next().value as string;
        return { kind: "constant", line, value };
      }
      case "integer":
      case "float":
        stream.next();
        return { kind: "constant", line, value: token.value };
      default:
        return this.#enclosed();
    }
  }

  #enclosed(): Expression {
    const stream = this.stream;
    const { line } = stream.current;
    if (stream.skipOperator("(")) {
      const node = this.tuple({ parenthesized: true });
      stream.expectOperator(")");
      return node;
    }
    if (stream.skipOperator("[")) {
      return { kind: "list", line, items: this.#items("]", () => this.expression()) };
    }
    if (stream.skipOperator("{")) {
      const pairs = this.#items("}", (): [Expression, Expression] => {
        const key = this.expression();
        stream.expectOperator(":");
        return [key, this.expression()];
      });
      return { kind: "dictionary", line, pairs };
    }
    throw syntaxError(`unexpected '${describeToken(stream.current)}'`, line);
  }

  /** Items between commas up to the closing bracket; the last comma may be one too many. */
  #items<Item>(close: string, item: () => Item): Item[] {
    const items: Item[] = [];
    while (!this.stream.isOperator(close)) {
      if (items.length > 0) {
        this.stream.expectOperator(",");
        if (this.stream.isOperator(close)) break;
      }
      items.push(item());
    }
    this.stream.expectOperator(close);
    return items;
  }

  /** An expression, or a tuple when a comma follows one. */
  tuple(options: { parenthesized?: boolean; conditional?: boolean } = {}): Expression {
    const { line } = this.stream.current;
    const { items, isTuple } = this.#tupleItems(() => this.expression(options.conditional ?? true));
    if (!isTuple && items.length > 0) return items[0] as Expression;
    if (!isTuple && options.parenthesized !== true) throw this.#expectedExpression();
    return { kind: "tuple", line, items };
  }

  #tupleItems<Item>(item: () => Item) {
    const stream = this.stream;
    const items: Item[] = [];
    let isTuple = false;
    for (;;) {
      if (items.length > 0) stream.expectOperator(",");
      if (stream.is("variable end") || stream.is("block end") || stream.isOperator(")")) break;
      items.push(item());
      if (!stream.isOperator(",")) break;
      isTuple = true;
    }
    return { items, isTuple };
  }

  #expectedExpression() {
    const { current } = this.stream;
    return syntaxError(`Expected an expression, got '${describeToken(current)}'`, current.line);
  }

  /** The left side of an assignment; with `namespaces` also `name.attribute`. */
  target(namespaces = false): Target {
    const { line } = this.stream.current;
    const { items, isTuple } = this.#tupleItems(() => this.#targetItem(namespaces));
    if (isTuple) return { kind: "tuple", line, items };
    if (items.length === 0) throw this.#expectedExpression();
    return items[0] as Target;
  }

  #targetItem(namespaces: boolean): Target {
    const stream = this.stream;
    const { line } = stream.current;
    if (namespaces && stream.is("name")) {
      const dot = stream.look();
      if (dot.kind === "operator" && dot.text === ".") {
        const name = stream.next().text;
        stream.next();
        const attribute = stream.expectKind("name").text;
        return { kind: "namespace", line, name, attribute };
      }
    }
    return asTarget(this.primary());
  }

  #postfix(start: Expression): Expression {
    let node = start;
    for (;;) {
      if (this.stream.isOperator(".", "[")) node = this.#subscript(node);
      else if (this.stream.isOperator("(")) node = this.#call(node);
      else return node;
    }
  }

  #filters(start: Expression): Expression {
    let node = start;
    for (;;) {
      if (this.stream.isOperator("|")) node = this.filter(node) as Expression;
      else if (this.stream.isName("is")) node = this.#test(node);
      else if (this.stream.isOperator("(")) node = this.#call(node);
      else return node;
    }
  }

  #subscript(subject: Expression): Expression {
    const stream = this.stream;
    const { line, text } = stream.next();
    if (text === ".") {
      const token = stream.next();
      if (token.kind === "name") return { kind: "attribute", line, subject, name: token.text };
      if (token.kind !== "integer") throw syntaxError("expected name or number", token.line);
      const key: Expression = { kind: "constant", line: token.line, value: token.value };
      return { kind: "item", line, subject, key };
    }
    const keys: Expression[] = [];
    while (!stream.isOperator("]")) {
      if (keys.length > 0) stream.expectOperator(",");
      keys.push(this.#subscriptKey());
    }
    stream.expectOperator("]");
    const [first, second] = keys;
    const isOne = first !== undefined && second === undefined;
    const key: Expression = isOne ? first : { kind: "tuple", line, items: keys };
    return { kind: "item", line, subject, key };
  }

  #subscriptKey(): Expression {
    const stream = this.stream;
    const { line } = stream.current;
    const start = stream.isOperator(":") ? null : this.expression();
    if (start !== null && !stream.isOperator(":")) return start;
    stream.next();
    const bound = () => (stream.isOperator(":", "]", ",") ? null : this.expression());
    const stop = bound();
    const step = stream.skipOperator(":") ? bound() : null;
    return { kind: "slice", line, start, stop, step };
  }

  #call(callee: Expression): Expression {
    const { line } = this.stream.current;
    return { kind: "call", line, callee, args: this.#callArguments() };
  }

  #callArguments(): CallArguments {
    const stream = this.stream;
    const { line } = stream.expectOperator("(");
    const positional: Expression[] = [];
    const keywords: [string, Expression][] = [];
    let morePositional: Expression | null = null;
    let moreKeywords: Expression | null = null;
    const ensure = (valid: boolean) => {
      if (!valid) throw syntaxError("invalid syntax for function call expression", line);
    };
    let separated = true;
    while (!stream.isOperator(")")) {
      if (!separated) {
        stream.expectOperator(",");
        if (stream.isOperator(")")) break;
      }
      const next = stream.look();
      if (stream.skipOperator("*")) {
        ensure(morePositional === null && moreKeywords === null);
        morePositional = this.expression();
      } else if (stream.skipOperator("**")) {
        ensure(moreKeywords === null);
        moreKeywords = this.expression();
      } else if (stream.is("name") && next.kind === "operator" && next.text === "=") {
        ensure(moreKeywords === null);
        const name = stream.next().text;
        stream.next();
        keywords.push([name, this.expression()]);
      } else {
        ensure(morePositional === null && moreKeywords === null && keywords.length === 0);
        positional.push(this.expression());
      }
      separated = false;
    }
    stream.expectOperator(")");
    return { positional, keywords, morePositional, moreKeywords };
  }

  #dottedName(): string {
    let name = this.stream.expectKind("name").text;
    while (this.stream.skipOperator(".")) name += `.${this.stream.expectKind("name").text}`;
    return name;
  }

  /** One or more filters on a subject; with `inline` the first one's `|` is left out. */
  filter(subject: Expression | null, inline = false): FilterExpression | null {
    const stream = this.stream;
    let node: FilterExpression | null = null;
    for (let first = inline; first || stream.isOperator("|"); first = false) {
      if (!first) stream.next();
      const { line } = stream.current;
      const name = this.#dottedName();
      const args = stream.isOperator("(") ? this.#callArguments() : emptyArguments;
      node = { kind: "filter", line, subject: node ?? subject, name, args };
    }
    return node;
  }

  #test(subject: Expression): Expression {
    const stream = this.stream;
    const { line } = stream.next();
    const negated = stream.skipName("not");
    const name = this.#dottedName();
    let args = emptyArguments;
    if (stream.isOperator("(")) {
      args = this.#callArguments();
    } else if (this.#startsArgument()) {
      if (stream.isName("is")) {
        throw syntaxError("You cannot chain multiple tests with is", stream.current.line);
      }
      args = { ...emptyArguments, positional: [this.#postfix(this.primary())] };
    }
    const test: Expression = { kind: "test", line, subject, name, args };
    return negated ? { kind: "not", line, operand: test } : test;
  }

  /** A test may take one argument without parentheses. */
  #startsArgument(): boolean {
    const stream = this.stream;
    if (stream.is("name")) return !stream.isName("else", "or", "and");
    if (stream.isOperator("[", "{")) return true;
    return stream.is("string") || stream.is("integer") || stream.is("float");
  }
}

function nameOrConstant(name: string, line: number): Expression {
  if (name === "true" || name === "True") return { kind: "constant", line, value: true };
  if (name === "false" || name === "False") return { kind: "constant", line, value: false };
  if (name === "none" || name === "None") return { kind: "constant", line, value: null };
  return { kind: "name", line, name };
}
