/**
 * Compiles expressions into closures over a frame.
 *
 * Contract   a filter or test that does not exist is an error of compilation, except inside an
 *            `if`, where it is one of the render that reaches it, as in Jinja.
 */
import { signed } from "./arithmetic.ts";
import { type CompiledArguments, compileCall, compileCallArguments } from "./calls.ts";
import { setKey } from "./equality.ts";
import { runtimeError, syntaxError, templateAssertion, unsupported } from "./errors.ts";
import { filters, refusedFilters } from "./filters.ts";
import type { Evaluate, Frame } from "./frame.ts";
import { Slice } from "./indexing.ts";
import { getAttribute, getItem, getSlice } from "./lookup.ts";
import { checkMarkupFilter, Markup } from "./markup.ts";
import { compileArithmetic, compileComparison, compileConcatenation } from "./operators.ts";
import type { Scope } from "./scopes.ts";
import type { CallArguments, CallExpression, Expression, FilterExpression } from "./syntax-tree.ts";
import { tests } from "./tests.ts";
import { isTrue, Tuple, Undefined, type Value } from "./values.ts";
import { type ContextNames, compileName } from "./variables.ts";

/** Where an expression stands. */
export interface Position {
  readonly scope: Scope;
  /** Directly inside an `if`: what is missing may never be needed. */
  readonly soft: boolean;
}

export class ExpressionCompiler {
  readonly #context: ContextNames;

  constructor(context: ContextNames) {
    this.#context = context;
  }

  compile(node: Expression, position: Position): Evaluate {
    switch (node.kind) {
      case "constant": {
        const { value } = node;
        return () => value;
      }
      case "name":
        return this.#name(node.name, node.line, position);
      case "tuple": {
        const items = this.#all(node.items, position);
        return (frame) => new Tuple(items.map((item) => item(frame)));
      }
      case "list": {
        const items = this.#all(node.items, position);
        return (frame) => items.map((item) => item(frame));
      }
      case "dictionary":
        return this.#dictionary(node.pairs, position);
      case "attribute": {
        const subject = this.compile(node.subject, position);
        const { name } = node;
        return (frame) => getAttribute(subject(frame), name);
      }
      case "item": {
        const subject = this.compile(node.subject, position);
        if (node.key.kind === "slice") {
          const slice = this.#slice(node.key, position);
          return (frame) => getSlice(subject(frame), slice(frame));
        }
        const key = this.compile(node.key, position);
        return (frame) => getItem(subject(frame), key(frame));
      }
      case "slice":
        return this.#slice(node, position);
      case "call":
        return this.call(node, position, this.arguments(node.args, position));
      case "filter":
        return this.filter(node, position, null);
      case "test":
        return this.#test(node, position);
      default:
        return this.#operation(node, position);
    }
  }

  #operation(node: Expression, position: Position): Evaluate {
    switch (node.kind) {
      case "not": {
        const operand = this.compile(node.operand, position);
        return (frame) => !isTrue(operand(frame));
      }
      case "sign": {
        const operand = this.compile(node.operand, position);
        const { sign } = node;
        return (frame) => signed(sign, operand(frame));
      }
      case "arithmetic": {
        const left = this.compile(node.left, position);
        return compileArithmetic(node.operator, left, this.compile(node.right, position));
      }
      case "concatenation":
        return compileConcatenation(this.#all(node.parts, position));
      case "comparison":
        return compileComparison(
          this.compile(node.first, position),
          node.rest.map(({ operator, operand }) => ({
            operator,
            operand: this.compile(operand, position),
          })),
        );
      case "and":
      case "or": {
        const left = this.compile(node.left, position);
        const right = this.compile(node.right, position);
        const stopsAt = node.kind === "or";
        return (frame) => {
          const value = left(frame);
          return isTrue(value) === stopsAt ? value : right(frame);
        };
      }
      case "conditional":
        return this.#conditional(node, { ...position, soft: true });
      default:
        throw syntaxError(`unexpected expression '${node.kind}'`, node.line);
    }
  }

  #all(nodes: readonly Expression[], position: Position): Evaluate[] {
    return nodes.map((node) => this.compile(node, position));
  }

  #name(name: string, line: number, { scope }: Position): Evaluate {
    if (name === "self" && scope.find(name)?.assigned !== true) {
      throw unsupported("the name 'self'", line);
    }
    return compileName(name, scope, this.#context);
  }

  #dictionary(pairs: [Expression, Expression][], position: Position): Evaluate {
    const compiled = pairs.map(([key, value]) => ({
      key: this.compile(key, position),
      value: this.compile(value, position),
    }));
    return (frame) => {
      const dictionary = new Map<Value, Value>();
      for (const { key, value } of compiled) {
        const name = key(frame);
        setKey(dictionary, name, value(frame));
      }
      return dictionary;
    };
  }

  #slice(
    node: Extract<Expression, { kind: "slice" }>,
    position: Position,
  ): (frame: Frame) => Slice {
    const bound = (part: Expression | null): Evaluate =>
      part === null ? () => null : this.compile(part, position);
    const start = bound(node.start);
    const stop = bound(node.stop);
    const step = bound(node.step);
    return (frame) => new Slice(start(frame), stop(frame), step(frame));
  }

  #conditional(node: Extract<Expression, { kind: "conditional" }>, position: Position): Evaluate {
    const condition = this.compile(node.condition, position);
    const whenTrue = this.compile(node.whenTrue, position);
    const { line } = node;
    const whenFalse: Evaluate =
      node.whenFalse === null
        ? () =>
            new Undefined(
              `the inline if-expression on line ${line} evaluated to false ` +
                "and no else section was defined.",
            )
        : this.compile(node.whenFalse, position);
    return (frame) => (isTrue(condition(frame)) ? whenTrue(frame) : whenFalse(frame));
  }

  arguments(args: CallArguments, position: Position): CompiledArguments {
    return compileCallArguments({
      positional: this.#all(args.positional, position),
      keywords: args.keywords.map(([name, value]) => [name, this.compile(value, position)]),
      morePositional:
        args.morePositional === null ? null : this.compile(args.morePositional, position),
      moreKeywords: args.moreKeywords === null ? null : this.compile(args.moreKeywords, position),
    });
  }

  /** The call of a function or method with arguments that the caller compiled. */
  call(node: CallExpression, position: Position, args: CompiledArguments): Evaluate {
    const { callee } = node;
    if (callee.kind === "attribute") {
      return compileCall(this.compile(callee.subject, position), callee.name, args);
    }
    return compileCall(this.compile(callee, position), null, args);
  }

  /** A filter; `text` gives the subject of one that is applied to a block. */
  filter(node: FilterExpression, position: Position, text: Evaluate | null): Evaluate {
    const subject = this.#filterSubject(node, position, text);
    const { name, line } = node;
    if (refusedFilters.has(name)) throw unsupported(`the filter '${name}'`, line);
    const found = filters.get(name);
    if (found === undefined) {
      if (!position.soft) throw templateAssertion(`No filter named '${name}'.`, line);
      return fails(`No filter named '${name}' found.`);
    }
    const { positional, keywords } = this.arguments(node.args, position);
    return (frame) => {
      const value = subject(frame);
      if (value instanceof Markup) checkMarkupFilter(name);
      return found(value, positional(frame), keywords(frame), frame.state);
    };
  }

  #filterSubject(node: FilterExpression, position: Position, text: Evaluate | null): Evaluate {
    const { subject } = node;
    if (subject === null) return text ?? (() => "");
    // Filters in a row apply to the same block.
    if (subject.kind === "filter") return this.filter(subject, position, text);
    return this.compile(subject, position);
  }

  #test(node: Extract<Expression, { kind: "test" }>, position: Position): Evaluate {
    const subject = this.compile(node.subject, position);
    const { name, line } = node;
    const found = tests.get(name);
    if (found === undefined) {
      if (!position.soft) throw templateAssertion(`No test named '${name}'.`, line);
      return fails(`No test named '${name}' found.`);
    }
    const { positional, keywords } = this.arguments(node.args, position);
    return (frame) => found(subject(frame), positional(frame), keywords(frame), frame.state);
  }
}

function fails(reason: string): Evaluate {
  return (_frame: Frame) => {
    throw runtimeError(reason);
  };
}
