/**
 * Parses expressions: the operators of Jinja's grammar by precedence, over operand-parser.ts.
 */
import { OperandParser } from "./operand-parser.ts";
import type { ArithmeticOperator, ComparisonOperator, Expression } from "./syntax-tree.ts";

const comparisons = ["==", "!=", "<", "<=", ">", ">="];

export class ExpressionParser extends OperandParser {
  override expression(conditional = true): Expression {
    return conditional ? this.#conditional() : this.#or();
  }

  #conditional(): Expression {
    const stream = this.stream;
    let result = this.#or();
    while (stream.isName("if")) {
      const { line } = stream.next();
      const condition = this.#or();
      const whenFalse = stream.skipName("else") ? this.#conditional() : null;
      result = { kind: "conditional", line, condition, whenTrue: result, whenFalse };
    }
    return result;
  }

  #or(): Expression {
    let left = this.#and();
    while (this.stream.isName("or")) {
      const { line } = this.stream.next();
      left = { kind: "or", line, left, right: this.#and() };
    }
    return left;
  }

  #and(): Expression {
    let left = this.#not();
    while (this.stream.isName("and")) {
      const { line } = this.stream.next();
      left = { kind: "and", line, left, right: this.#not() };
    }
    return left;
  }

  #not(): Expression {
    if (!this.stream.isName("not")) return this.#comparison();
    const { line } = this.stream.next();
    return { kind: "not", line, operand: this.#not() };
  }

  #comparison(): Expression {
    const { line } = this.stream.current;
    const first = this.#sum();
    const rest: { operator: ComparisonOperator; operand: Expression }[] = [];
    for (;;) {
      const operator = this.#comparisonOperator();
      if (operator === null) break;
      rest.push({ operator, operand: this.#sum() });
    }
    return rest.length === 0 ? first : { kind: "comparison", line, first, rest };
  }

  #comparisonOperator(): ComparisonOperator | null {
    const stream = this.stream;
    if (stream.isOperator(...comparisons)) return stream.next().text as ComparisonOperator;
    if (stream.skipName("in")) return "in";
    const next = stream.look();
    if (!stream.isName("not") || next.kind !== "name" || next.text !== "in") return null;
    stream.next();
    stream.next();
    return "not in";
  }

  #arithmetic(operators: string[], operand: () => Expression): Expression {
    let left = operand();
    while (this.stream.isOperator(...operators)) {
      const { line, text } = this.stream.next();
      const operator = text as ArithmeticOperator;
      left = { kind: "arithmetic", line, operator, left, right: operand() };
    }
    return left;
  }

  #sum(): Expression {
    return this.#arithmetic(["+", "-"], () => this.#concatenation());
  }

  #concatenation(): Expression {
    const { line } = this.stream.current;
    const parts = [this.#product()];
    while (this.stream.skipOperator("~")) parts.push(this.#product());
    return parts.length === 1 ? (parts[0] as Expression) : { kind: "concatenation", line, parts };
  }

  #product(): Expression {
    return this.#arithmetic(["*", "/", "//", "%"], () => this.#power());
  }

  #power(): Expression {
    return this.#arithmetic(["**"], () => this.unary(true));
  }
}
