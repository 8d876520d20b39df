/**
 * A cursor over the tokens of a template, with Jinja's words for what it did not expect.
 */
import { syntaxError } from "./errors.ts";
import type { Token, TokenKind } from "./lexer.ts";

const descriptions: Record<TokenKind, string> = {
  data: "template data / text",
  "variable begin": "begin of print statement",
  "variable end": "end of print statement",
  "block begin": "begin of statement block",
  "block end": "end of statement block",
  name: "name",
  string: "string",
  integer: "integer",
  float: "float",
  operator: "operator",
  fault: "fault",
  end: "end of template",
};

export function describeToken(token: Token): string {
  return token.kind === "name" || token.kind === "operator" ? token.text : descriptions[token.kind];
}

export class TokenStream {
  readonly #tokens: readonly Token[];
  #index = 0;

  /** The last token is of kind "end". */
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
    this.#checkFault(this.current);
  }

  get current(): Token {
    return this.#tokens[this.#index] as Token;
  }

  /** The token after the current one. */
  look(): Token {
    const token = this.#tokens[Math.min(this.#index + 1, this.#tokens.length - 1)] as Token;
    this.#checkFault(token);
    return token;
  }

  #checkFault(token: Token): void {
    if (token.fault !== undefined) throw token.fault;
  }

  /** Gives the current token and moves on; the end stays. */
  next(): Token {
    const token = this.current;
    if (token.kind !== "end") this.#index += 1;
    this.#checkFault(this.current);
    return token;
  }

  is(kind: TokenKind): boolean {
    return this.current.kind === kind;
  }

  isName(...names: string[]): boolean {
    return this.current.kind === "name" && names.includes(this.current.text);
  }

  isOperator(...operators: string[]): boolean {
    return this.current.kind === "operator" && operators.includes(this.current.text);
  }

  skipName(name: string): boolean {
    if (!this.isName(name)) return false;
    this.next();
    return true;
  }

  skipOperator(operator: string): boolean {
    if (!this.isOperator(operator)) return false;
    this.next();
    return true;
  }

  expectKind(kind: TokenKind): Token {
    if (!this.is(kind)) throw this.#unexpected(descriptions[kind]);
    return this.next();
  }

  expectName(name: string): Token {
    if (!this.isName(name)) throw this.#unexpected(name);
    return this.next();
  }

  expectOperator(operator: string): Token {
    if (!this.isOperator(operator)) throw this.#unexpected(operator);
    return this.next();
  }

  #unexpected(expected: string) {
    const { current } = this;
    if (current.kind === "end") {
      return syntaxError(`unexpected end of template, expected '${expected}'.`, current.line);
    }
    const found = describeToken(current);
    return syntaxError(`expected token '${expected}', got '${found}'`, current.line);
  }
}
