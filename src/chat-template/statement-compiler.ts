/**
 * Compiles statements into closures over a frame.
 */
import type { CompiledArguments } from "./calls.ts";
import { syntaxError, typeError } from "./errors.ts";
import { ExpressionCompiler, type Position } from "./expression-compiler.ts";
import {
  type Assign,
  broken,
  type Completion,
  capture,
  completed,
  continued,
  type Evaluate,
  type Frame,
  type Run,
} from "./frame.ts";
import { compileLoop } from "./loop-compiler.ts";
import { compileMacro } from "./macro.ts";
import { print } from "./printing.ts";
import { analyzeBody, analyzeExpression, analyzeTarget } from "./scope-analysis.ts";
import type { Scope } from "./scopes.ts";
import type { Expression, IfStatement, Statement, Target } from "./syntax-tree.ts";
import { isTrue, typeName, type Value } from "./values.ts";
import { type ContextNames, compileEntry, compileTarget, compileTargetCheck } from "./variables.ts";

export interface BodyPosition extends Position {
  /** A `break` or `continue` here has a loop to act on. */
  readonly inLoop: boolean;
}

/** What the compilers of single statements need from this one. */
export interface StatementParts {
  expression(node: Expression, position: Position): Evaluate;
  body(statements: readonly Statement[], position: BodyPosition): Run;
  target(target: Target, scope: Scope): Assign;
  entry(scope: Scope): (frame: Frame) => void;
}

type StatementOf<Kind extends Statement["kind"]> = Extract<Statement, { kind: Kind }>;

export class StatementCompiler implements StatementParts {
  readonly #context: ContextNames;
  readonly #expressions: ExpressionCompiler;

  constructor(context: ContextNames) {
    this.#context = context;
    this.#expressions = new ExpressionCompiler(context);
  }

  expression(node: Expression, position: Position): Evaluate {
    return this.#expressions.compile(node, position);
  }

  target(target: Target, scope: Scope): Assign {
    return compileTarget(target, scope, this.#context);
  }

  entry(scope: Scope): (frame: Frame) => void {
    return compileEntry(scope, this.#context);
  }

  body(statements: readonly Statement[], position: BodyPosition): Run {
    const runs = statements.map((statement) => this.#statement(statement, position));
    const [first, second] = runs;
    if (first === undefined) return () => completed;
    if (second === undefined) return first;
    return (frame) => {
      for (let index = 0; index < runs.length; index += 1) {
        const completion = (runs[index] as Run)(frame);
        if (completion !== completed) return completion;
      }
      return completed;
    };
  }

  #statement(node: Statement, position: BodyPosition): Run {
    switch (node.kind) {
      case "output":
        return this.#output(node, position);
      case "if":
        return this.#if(node, { ...position, soft: true });
      case "for":
        return compileLoop(node, position, this);
      case "set":
        return this.#set(node, position);
      case "set block":
        return this.#setBlock(node, position);
      case "filter block":
        return this.#filterBlock(node, position);
      case "with":
        return this.#with(node, position);
      case "macro":
        return this.#macro(node, position);
      case "call block":
        return this.#callBlock(node, position);
      case "generation": {
        const macro = compileMacro(node.macro, position.scope, this);
        return (frame) => {
          frame.output += macro(frame).invoke([], new Map());
          return completed;
        };
      }
      default:
        return loopControl(node, position);
    }
  }

  #output(node: StatementOf<"output">, position: BodyPosition): Run {
    const runs = node.parts.map((part): Run => {
      if (typeof part === "string") {
        return (frame) => {
          frame.output += part;
          return completed;
        };
      }
      const value = this.expression(part, position);
      const { line } = part;
      return (frame) => {
        frame.state.line = line;
        const printed = value(frame);
        frame.output += typeof printed === "string" ? printed : print(printed);
        return completed;
      };
    });
    const [first] = runs;
    if (first !== undefined && runs.length === 1) return first;
    return (frame) => {
      for (let index = 0; index < runs.length; index += 1) (runs[index] as Run)(frame);
      return completed;
    };
  }

  #if(node: IfStatement, position: BodyPosition): Run {
    const branches = [node, ...node.elifs].map((branch) => ({
      line: branch.line,
      condition: this.expression(branch.condition, position),
      body: this.body(branch.body, position),
    }));
    const otherwise = this.body(node.otherwise, position);
    return (frame) => {
      for (let index = 0; index < branches.length; index += 1) {
        const branch = branches[index] as (typeof branches)[number];
        frame.state.line = branch.line;
        if (isTrue(branch.condition(frame))) return branch.body(frame);
      }
      return otherwise(frame);
    };
  }

  #set({ target, value, line }: StatementOf<"set">, position: BodyPosition): Run {
    const check = compileTargetCheck(target, position.scope, this.#context);
    const assign = this.target(target, position.scope);
    const evaluate = this.expression(value, position);
    return (frame) => {
      frame.state.line = line;
      check?.(frame);
      assign(frame, evaluate(frame));
      return completed;
    };
  }

  #setBlock(node: StatementOf<"set block">, position: BodyPosition): Run {
    const scope = position.scope.inner();
    analyzeBody(scope, node.body);
    const inside: BodyPosition = { ...position, scope, soft: false };
    const assign = this.target(node.target, position.scope);
    const body = this.#scoped(scope, this.body(node.body, inside));
    const value = this.#filteredText(node.filter, inside);
    return (frame) => {
      const { text, completion } = capture(frame, body);
      if (completion !== completed) return completion;
      frame.state.line = node.line;
      assign(frame, value(frame, text));
      return completed;
    };
  }

  #filterBlock(node: StatementOf<"filter block">, position: BodyPosition): Run {
    const scope = position.scope.inner();
    analyzeBody(scope, node.body);
    analyzeExpression(scope, node.filter);
    const inside: BodyPosition = { ...position, scope, soft: false };
    const body = this.#scoped(scope, this.body(node.body, inside));
    const value = this.#filteredText(node.filter, inside);
    return (frame) => {
      const { text, completion } = capture(frame, body);
      if (completion !== completed) return completion;
      frame.state.line = node.line;
      putOut(frame, value(frame, text));
      return completed;
    };
  }

  /** What a filter, if there is one, makes of the text of a block. */
  #filteredText(
    filter: StatementOf<"set block">["filter"],
    position: Position,
  ): (frame: Frame, text: string) => Value {
    if (filter === null) return (_frame, text) => text;
    let current = "";
    const filtered = this.#expressions.filter(filter, position, () => current);
    return (frame, text) => {
      current = text;
      return filtered(frame);
    };
  }

  #scoped(scope: Scope, body: Run): Run {
    const enter = this.entry(scope);
    return (frame) => {
      enter(frame);
      return body(frame);
    };
  }

  #with(node: StatementOf<"with">, position: BodyPosition): Run {
    const scope = position.scope.inner();
    for (const target of node.targets) analyzeTarget(scope, target, true);
    analyzeBody(scope, node.body);
    const enter = this.entry(scope);
    const steps = node.targets.map((target, index) => ({
      assign: this.target(target, scope),
      // The values are those of names outside, whatever was assigned before them.
      value: this.expression(node.values[index] as Expression, { ...position, soft: false }),
    }));
    const body = this.body(node.body, { ...position, scope, soft: false });
    return (frame) => {
      frame.state.line = node.line;
      enter(frame);
      for (const { assign, value } of steps) assign(frame, value(frame));
      return body(frame);
    };
  }

  #macro(node: StatementOf<"macro">, position: BodyPosition): Run {
    const macro = compileMacro(node, position.scope, this);
    const assign = this.target({ kind: "name", line: node.line, name: node.name }, position.scope);
    return (frame) => {
      assign(frame, macro(frame));
      return completed;
    };
  }

  #callBlock(node: StatementOf<"call block">, position: BodyPosition): Run {
    const caller = compileMacro(node.macro, position.scope, this);
    const args = this.#expressions.arguments(node.call.args, position);
    const withCaller: CompiledArguments = {
      positional: args.positional,
      keywords: (frame) => new Map([...args.keywords(frame), ["caller", caller(frame)]]),
    };
    const call = this.#expressions.call(node.call, position, withCaller);
    return (frame) => {
      frame.state.line = node.line;
      putOut(frame, call(frame));
      return completed;
    };
  }
}

/** Blocks must give text, for it is not printed but joined: anything else is an error, later. */
function putOut(frame: Frame, value: Value): void {
  if (typeof value === "string") frame.output += value;
  else {
    const reason = `sequence item 0: expected str instance, ${typeName(value)} found`;
    frame.outputError ??= typeError(reason);
  }
}

function loopControl(node: StatementOf<"break" | "continue">, position: BodyPosition): Run {
  if (!position.inLoop) throw syntaxError(`'${node.kind}' outside loop`, node.line);
  const completion: Completion = node.kind === "break" ? broken : continued;
  return () => completion;
}
