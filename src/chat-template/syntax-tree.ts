/**
 * The syntax tree between parser and compiler: Jinja's nodes, as plain data.
 */
import type { Value } from "./values.ts";

export type Expression =
  | { kind: "constant"; line: number; value: Value }
  | { kind: "name"; line: number; name: string }
  | { kind: "tuple"; line: number; items: Expression[] }
  | { kind: "list"; line: number; items: Expression[] }
  | { kind: "dictionary"; line: number; pairs: [key: Expression, value: Expression][] }
  | { kind: "attribute"; line: number; subject: Expression; name: string }
  | { kind: "item"; line: number; subject: Expression; key: Expression }
  | {
      kind: "slice";
      line: number;
      start: Expression | null;
      stop: Expression | null;
      step: Expression | null;
    }
  | CallExpression
  | FilterExpression
  | { kind: "test"; line: number; subject: Expression; name: string; args: CallArguments }
  | { kind: "not"; line: number; operand: Expression }
  | { kind: "sign"; line: number; sign: "-" | "+"; operand: Expression }
  | {
      kind: "arithmetic";
      line: number;
      operator: ArithmeticOperator;
      left: Expression;
      right: Expression;
    }
  | { kind: "concatenation"; line: number; parts: Expression[] }
  | {
      kind: "comparison";
      line: number;
      first: Expression;
      rest: { operator: ComparisonOperator; operand: Expression }[];
    }
  | { kind: "and" | "or"; line: number; left: Expression; right: Expression }
  | {
      kind: "conditional";
      line: number;
      condition: Expression;
      whenTrue: Expression;
      whenFalse: Expression | null;
    };

export type ArithmeticOperator = "+" | "-" | "*" | "/" | "//" | "%" | "**";
export type ComparisonOperator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in";

export interface CallArguments {
  readonly positional: Expression[];
  readonly keywords: [name: string, value: Expression][];
  /** `*expression` */
  readonly morePositional: Expression | null;
  /** `**expression` */
  readonly moreKeywords: Expression | null;
}

export const emptyArguments: CallArguments = {
  positional: [],
  keywords: [],
  morePositional: null,
  moreKeywords: null,
};

export interface CallExpression {
  kind: "call";
  line: number;
  callee: Expression;
  args: CallArguments;
}

export interface FilterExpression {
  kind: "filter";
  line: number;
  /** null stands for the text of the block that the filter is applied to. */
  subject: Expression | null;
  name: string;
  args: CallArguments;
}

export type Target =
  | { kind: "name"; line: number; name: string }
  | { kind: "namespace"; line: number; name: string; attribute: string }
  | { kind: "tuple"; line: number; items: Target[] };

export interface Parameter {
  readonly name: string;
  readonly missing: Expression | null;
}

export type Statement =
  | { kind: "output"; line: number; parts: (string | Expression)[] }
  | IfStatement
  | ForStatement
  | { kind: "set"; line: number; target: Target; value: Expression }
  | {
      kind: "set block";
      line: number;
      target: Target;
      filter: FilterExpression | null;
      body: Statement[];
    }
  | { kind: "filter block"; line: number; filter: FilterExpression; body: Statement[] }
  | { kind: "with"; line: number; targets: Target[]; values: Expression[]; body: Statement[] }
  | MacroStatement
  | { kind: "call block"; line: number; call: CallExpression; macro: MacroDefinition }
  /** transformers' marker around what an assistant generated: a scope that prints its body. */
  | { kind: "generation"; line: number; macro: MacroDefinition }
  | { kind: "break" | "continue"; line: number };

export interface IfStatement {
  kind: "if";
  line: number;
  condition: Expression;
  body: Statement[];
  /** The elif branches, each with neither `elifs` nor `otherwise` of its own. */
  elifs: IfStatement[];
  otherwise: Statement[];
}

export interface ForStatement {
  kind: "for";
  line: number;
  target: Target;
  iterable: Expression;
  condition: Expression | null;
  recursive: boolean;
  body: Statement[];
  otherwise: Statement[];
}

/** Parameters and body of a macro, or of the unnamed one that a call block hands over. */
export interface MacroDefinition {
  line: number;
  name: string | null;
  parameters: Parameter[];
  body: Statement[];
}

export interface MacroStatement extends MacroDefinition {
  kind: "macro";
  name: string;
}

/** The expressions directly inside an expression, in the order they are evaluated. */
export function* subexpressions(node: Expression): Generator<Expression> {
  switch (node.kind) {
    case "tuple":
    case "list":
      yield* node.items;
      return;
    case "dictionary":
      for (const pair of node.pairs) yield* pair;
      return;
    case "attribute":
      yield node.subject;
      return;
    case "item":
      yield node.subject;
      yield node.key;
      return;
    case "slice":
      for (const part of [node.start, node.stop, node.step]) if (part !== null) yield part;
      return;
    case "call":
      yield node.callee;
      yield* argumentExpressions(node.args);
      return;
    case "filter":
      if (node.subject !== null) yield node.subject;
      yield* argumentExpressions(node.args);
      return;
    case "test":
      yield node.subject;
      yield* argumentExpressions(node.args);
      return;
    case "not":
    case "sign":
      yield node.operand;
      return;
    case "arithmetic":
    case "and":
    case "or":
      yield node.left;
      yield node.right;
      return;
    case "concatenation":
      yield* node.parts;
      return;
    case "comparison":
      yield node.first;
      for (const { operand } of node.rest) yield operand;
      return;
    case "conditional":
      yield node.condition;
      yield node.whenTrue;
      if (node.whenFalse !== null) yield node.whenFalse;
      return;
    default:
      return;
  }
}

function* argumentExpressions(args: CallArguments): Generator<Expression> {
  yield* args.positional;
  for (const [, value] of args.keywords) yield value;
  if (args.morePositional !== null) yield args.morePositional;
  if (args.moreKeywords !== null) yield args.moreKeywords;
}
