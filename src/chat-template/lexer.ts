/**
 * Cuts a template into tokens, with the whitespace rules of trim_blocks and lstrip_blocks.
 *
 * Contract   the tokens of Jinja's lexer, comments and whitespace left out; line breaks become "\n"
 *            and one at the end of the template is dropped; errors are syntax errors with a line.
 */
import { JsonFloat } from "../json/values.ts";
import { integer } from "./arithmetic.ts";
import { syntaxError, TemplateFailure } from "./errors.ts";
import { represent } from "./printing.ts";
import { unescapeString } from "./string-literal.ts";
import { strip, whitespaceClass } from "./text.ts";
import type { Value } from "./values.ts";

export type TokenKind =
  | "data"
  | "variable begin"
  | "variable end"
  | "block begin"
  | "block end"
  | "name"
  | "string"
  | "integer"
  | "float"
  | "operator"
  | "fault"
  | "end";

export interface Token {
  readonly kind: TokenKind;
  /** The text of data, a name or an operator. */
  readonly text: string;
  /** The value of a literal. */
  readonly value: Value;
  readonly line: number;
  /** Of a token of kind "fault", which is the last one before the end. */
  readonly fault?: TemplateFailure;
}

const space = `[${whitespaceClass}]`;
const tagOpening = /\{(?:%|\{|#)/g;
const rawOpening = new RegExp(`\\{%[-+]?${space}*raw${space}*(?:-%\\}${space}*|%\\})`, "y");
const rawClosing = new RegExp(
  `\\{%([-+]?)${space}*endraw${space}*(?:\\+%\\}|-%\\}${space}*|%\\}\\n?)`,
  "g",
);
const commentClosing = new RegExp(`(?:\\+#\\}|-#\\}${space}*|#\\}\\n?)`, "g");
const blockClosing = new RegExp(`(?:\\+%\\}|-%\\}${space}*|%\\}\\n?)`, "y");
const variableClosing = new RegExp(`(?:-\\}\\}${space}*|\\}\\})`, "y");

const spaces = new RegExp(`${space}+`, "y");
const onlySpaces = new RegExp(`^${space}+$`);
const floatLiteral = /(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iy;
const integerLiteral =
  /(?:0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*)/iy;
const nameToken = /[\p{XIDC}\p{No}]+/uy;
const identifier = /^[\p{XIDS}_]\p{XIDC}*$/u;
const stringToken = /'[^'\\]*(?:\\[\s\S][^'\\]*)*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y;
const operatorToken = /\/\/|\*\*|==|!=|>=|<=|[+\-/*%~[\](){}<>=.:|,;]/y;

const closers: Record<string, string> = { "(": ")", "[": "]", "{": "}" };

/** What cannot be cut into tokens is a token too: the parser may object to something before it. */
export function tokenize(source: string): Token[] {
  return new Lexer(source).tokenize();
}

class Lexer {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  #index = 0;
  #line = 1;
  /** The text before this place ended a line, so that a tag may stand at a line's start. */
  #lineStarting = true;

  constructor(source: string) {
    const normalized = source.replace(/\r\n|\r/g, "\n");
    this.#source = normalized.endsWith("\n") ? normalized.slice(0, -1) : normalized;
  }

  tokenize(): Token[] {
    try {
      this.#readTemplate();
    } catch (error) {
      if (!(error instanceof TemplateFailure)) throw error;
      this.#tokens.push({ kind: "fault", text: "", value: null, line: this.#line, fault: error });
    }
    this.#push("end", "");
    return this.#tokens;
  }

  #readTemplate(): void {
    while (this.#index < this.#source.length) {
      tagOpening.lastIndex = this.#index;
      const found = tagOpening.exec(this.#source);
      if (found === null) {
        this.#pushData(this.#source.slice(this.#index));
        this.#index = this.#source.length;
        break;
      }
      this.#readTag(found.index);
    }
  }

  #push(kind: TokenKind, text: string, value: Value = null): void {
    this.#tokens.push({ kind, text, value, line: this.#line });
  }

  #pushData(text: string): void {
    if (text !== "") this.#push("data", text);
  }

  /** Moves past `end`, counting lines. */
  #advance(end: number): void {
    const passed = this.#source.slice(this.#index, end);
    this.#index = end;
    this.#lineStarting = passed.endsWith("\n");
    for (let at = passed.indexOf("\n"); at >= 0; at = passed.indexOf("\n", at + 1)) this.#line += 1;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#index;
    return pattern.exec(this.#source)?.[0];
  }

  #readTag(start: number): void {
    const source = this.#source;
    const sign = source[start + 2] ?? "";
    const data = source.slice(this.#index, start);
    const isVariable = source[start + 1] === "{";
    this.#pushData(this.#trimBefore(data, sign, !isVariable));
    this.#advance(start);
    const raw = this.#match(rawOpening);
    if (raw !== undefined) {
      this.#advance(start + raw.length);
      this.#readRaw();
      return;
    }
    this.#advance(start + (sign === "-" || sign === "+" ? 3 : 2));
    if (source[start + 1] === "#") this.#skipComment();
    else if (isVariable) this.#readExpression("variable");
    else this.#readExpression("block");
  }

  /** What is left of the text before a tag: `-` strips all whitespace, lstrip_blocks a line's. */
  #trimBefore(data: string, sign: string, isBlock: boolean): string {
    if (sign === "-") return strip(data, null, "right");
    if (sign === "+" || !isBlock) return data;
    const lineStart = data.lastIndexOf("\n") + 1;
    if (lineStart === 0 && !this.#lineStarting) return data;
    return onlySpaces.test(data.slice(lineStart)) ? data.slice(0, lineStart) : data;
  }

  #skipComment(): void {
    commentClosing.lastIndex = this.#index;
    const found = commentClosing.exec(this.#source);
    if (found === null) throw syntaxError("Missing end of comment tag", this.#line);
    this.#advance(found.index + found[0].length);
  }

  #readRaw(): void {
    rawClosing.lastIndex = this.#index;
    const found = rawClosing.exec(this.#source);
    if (found === null) throw syntaxError("Missing end of raw directive", this.#line);
    const data = this.#source.slice(this.#index, found.index);
    this.#pushData(this.#trimBefore(data, found[1] ?? "", true));
    this.#advance(found.index + found[0].length);
  }

  #readExpression(tag: "variable" | "block"): void {
    const closing = tag === "variable" ? variableClosing : blockClosing;
    const open: string[] = [];
    this.#push(`${tag} begin`, "");
    for (;;) {
      const end = open.length === 0 ? this.#match(closing) : undefined;
      if (end !== undefined) {
        this.#push(`${tag} end`, "");
        this.#advance(this.#index + end.length);
        return;
      }
      if (this.#index >= this.#source.length) {
        // The parser reports what it misses; the lexer only closes its books.
        return;
      }
      this.#readToken(open);
    }
  }

  #readToken(open: string[]): void {
    const length = this.#match(spaces)?.length ?? this.#readLiteral() ?? this.#readOperator(open);
    this.#advance(this.#index + length);
  }

  /** The length of the literal or name at this place, whose token it adds. */
  #readLiteral(): number | undefined {
    const float = this.#source[this.#index - 1] === "." ? undefined : this.#match(floatLiteral);
    if (float !== undefined) {
      this.#push("float", float, new JsonFloat(Number(float.replaceAll("_", ""))));
      return float.length;
    }
    const digits = this.#match(integerLiteral);
    if (digits !== undefined) {
      this.#push("integer", digits, integer(BigInt(digits.replaceAll("_", "").toLowerCase())));
      return digits.length;
    }
    const name = this.#match(nameToken);
    if (name !== undefined) {
      if (!identifier.test(name)) {
        throw syntaxError("Invalid character in identifier", this.#line);
      }
      this.#push("name", name);
      return name.length;
    }
    const text = this.#match(stringToken);
    if (text === undefined) return undefined;
    this.#push("string", text, unescapeString(text.slice(1, -1), this.#line));
    return text.length;
  }

  #readOperator(open: string[]): number {
    const operator = this.#match(operatorToken);
    if (operator === undefined) {
      const character = String.fromCodePoint(this.#source.codePointAt(this.#index) ?? 0);
      const description = `${represent(character)} at ${this.#index}`;
      throw syntaxError(`unexpected char ${description}`, this.#line);
    }
    const closer = closers[operator];
    if (closer !== undefined) open.push(closer);
    if (operator === ")" || operator === "]" || operator === "}") {
      const expected = open.pop();
      if (expected === undefined) throw syntaxError(`unexpected '${operator}'`, this.#line);
      if (expected !== operator) {
        throw syntaxError(`unexpected '${operator}', expected '${expected}'`, this.#line);
      }
    }
    this.#push("operator", operator);
    return operator.length;
  }
}
