/**
 * Parses a template: text, print statements and the tags of Jinja, of its loop controls extension
 * and of transformers' `generation`.
 *
 * Contract   tags that need other templates or change how values are escaped are refused by name.
 */
import { syntaxError, unsupported } from "./errors.ts";
import { ExpressionParser } from "./expression-parser.ts";
import { tokenize } from "./lexer.ts";
import type {
  Expression,
  ForStatement,
  IfStatement,
  MacroStatement,
  Parameter,
  Statement,
  Target,
} from "./syntax-tree.ts";
import { TokenStream } from "./token-stream.ts";

const refusedTags = ["autoescape", "block", "extends", "from", "import", "include"];

export function parseTemplate(source: string): Statement[] {
  return new Parser(source).parse();
}

class Parser {
  readonly #stream: TokenStream;
  readonly #expressions: ExpressionParser;
  /** The end tags that are looked for, innermost last. */
  readonly #expectedTags: string[][] = [];
  readonly #openTags: string[] = [];

  constructor(source: string) {
    this.#stream = new TokenStream(tokenize(source));
    this.#expressions = new ExpressionParser(this.#stream);
  }

  parse(): Statement[] {
    return this.#statements([]);
  }

  /** Statements up to one of the end tags, whose name becomes the current token. */
  #statements(endTags: string[]): Statement[] {
    const stream = this.#stream;
    const body: Statement[] = [];
    let parts: (string | Expression)[] = [];
    let line = 1;
    const flush = () => {
      if (parts.length > 0) body.push({ kind: "output", line, parts });
      parts = [];
    };
    if (endTags.length > 0) this.#expectedTags.push(endTags);
    while (!stream.is("end")) {
      const token = stream.next();
      if (parts.length === 0) line = token.line;
      if (token.kind === "data") {
        parts.push(token.text);
      } else if (token.kind === "variable begin") {
        parts.push(this.#expressions.tuple());
        stream.expectKind("variable end");
      } else {
        flush();
        if (stream.isName(...endTags)) break;
        body.push(this.#statement());
        stream.expectKind("block end");
      }
    }
    flush();
    if (endTags.length > 0) this.#expectedTags.pop();
    return body;
  }

  /** The body of a tag: past its end to the end tag, whose name is returned and skipped. */
  #body(...endTags: string[]): { body: Statement[]; end: string } {
    this.#stream.skipOperator(":");
    this.#stream.expectKind("block end");
    const body = this.#statements(endTags);
    if (this.#stream.is("end")) throw this.#unknownTag(null, endTags);
    return { body, end: this.#stream.next().text };
  }

  #statement(): Statement {
    const { kind, text: tag, line } = this.#stream.current;
    if (kind !== "name") throw syntaxError("tag name expected", line);
    if (refusedTags.includes(tag)) throw unsupported(`the tag {% ${tag} %}`, line);
    this.#openTags.push(tag);
    const statement = this.#parseTag(tag, line);
    this.#openTags.pop();
    return statement;
  }

  #parseTag(tag: string, line: number): Statement {
    switch (tag) {
      case "if":
        return this.#if();
      case "for":
        return this.#for();
      case "set":
        return this.#set();
      case "macro":
        return this.#macro();
      case "call":
        return this.#callBlock();
      case "filter":
        return this.#filterBlock();
      case "with":
        return this.#with();
      case "print":
        return this.#print();
      case "generation":
        return this.#generation();
      case "break":
      case "continue":
        this.#stream.next();
        return { kind: tag, line };
      default:
        this.#openTags.pop();
        throw this.#unknownTag(tag, this.#expectedTags.at(-1) ?? []);
    }
  }

  /** Jinja's words for a tag that is unknown, or, with null, for a template that ends too early. */
  #unknownTag(tag: string | null, expected: string[]) {
    const words = [
      tag === null ? "Unexpected end of template." : `Encountered unknown tag '${tag}'.`,
    ];
    const looking = expected.map((name) => `'${name}'`).join(" or ");
    const isElsewhere = tag !== null && this.#expectedTags.some((tags) => tags.includes(tag));
    if (expected.length > 0) {
      words.push(
        isElsewhere
          ? "You probably made a nesting mistake. Jinja is expecting this tag, " +
              `but currently looking for ${looking}.`
          : `Jinja was looking for the following tags: ${looking}.`,
      );
    }
    const open = this.#openTags.at(-1);
    if (open !== undefined) {
      words.push(`The innermost block that needs to be closed is '${open}'.`);
    }
    return syntaxError(words.join(" "), this.#stream.current.line);
  }

  #if(): IfStatement {
    const branches: IfStatement[] = [];
    let otherwise: Statement[] = [];
    for (;;) {
      const { line } = this.#stream.next();
      const condition = this.#expressions.tuple({ conditional: false });
      const { body, end } = this.#bodyOfBranch();
      branches.push({ kind: "if", line, condition, body, elifs: [], otherwise: [] });
      if (end === "elif") continue;
      if (end === "else") otherwise = this.#body("endif").body;
      break;
    }
    const [first, ...elifs] = branches as [IfStatement, ...IfStatement[]];
    return { ...first, elifs, otherwise };
  }

  /** Like #body, but leaves `elif` for the next round to skip. */
  #bodyOfBranch(): { body: Statement[]; end: string } {
    this.#stream.skipOperator(":");
    this.#stream.expectKind("block end");
    const endTags = ["elif", "else", "endif"];
    const body = this.#statements(endTags);
    if (this.#stream.is("end")) throw this.#unknownTag(null, endTags);
    const end = this.#stream.current.text;
    if (end !== "elif") this.#stream.next();
    return { body, end };
  }

  #for(): ForStatement {
    const stream = this.#stream;
    const { line } = stream.next();
    const target = this.#expressions.target();
    stream.expectName("in");
    const iterable = this.#expressions.tuple({ conditional: false });
    const condition = stream.skipName("if") ? this.#expressions.expression() : null;
    const recursive = stream.skipName("recursive");
    const { body, end } = this.#body("endfor", "else");
    const otherwise = end === "else" ? this.#body("endfor").body : [];
    return { kind: "for", line, target, iterable, condition, recursive, body, otherwise };
  }

  #set(): Statement {
    const { line } = this.#stream.next();
    const target = this.#expressions.target(true);
    if (this.#stream.skipOperator("=")) {
      return { kind: "set", line, target, value: this.#expressions.tuple() };
    }
    const filter = this.#expressions.filter(null);
    const { body } = this.#body("endset");
    return { kind: "set block", line, target, filter, body };
  }

  #parameters(): Parameter[] {
    const stream = this.#stream;
    const parameters: Parameter[] = [];
    stream.expectOperator("(");
    while (!stream.isOperator(")")) {
      if (parameters.length > 0) stream.expectOperator(",");
      const name = this.#assignableName();
      const missing = stream.skipOperator("=") ? this.#expressions.expression() : null;
      if (missing === null && parameters.at(-1)?.missing) {
        throw syntaxError("non-default argument follows default argument", stream.current.line);
      }
      parameters.push({ name, missing });
    }
    stream.expectOperator(")");
    return parameters;
  }

  #assignableName(): string {
    const { text, line } = this.#stream.expectKind("name");
    if (["true", "false", "none", "True", "False", "None"].includes(text)) {
      throw syntaxError("can't assign to 'name'", line);
    }
    return text;
  }

  #macro(): MacroStatement {
    const { line } = this.#stream.next();
    const name = this.#assignableName();
    const parameters = this.#parameters();
    const { body } = this.#body("endmacro");
    return { kind: "macro", line, name, parameters, body };
  }

  #callBlock(): Statement {
    const { line } = this.#stream.next();
    const parameters = this.#stream.isOperator("(") ? this.#parameters() : [];
    const call = this.#expressions.expression();
    if (call.kind !== "call") throw syntaxError("expected call", line);
    const { body } = this.#body("endcall");
    const macro = { line, name: null, parameters, body };
    return { kind: "call block", line, call, macro };
  }

  #filterBlock(): Statement {
    const { line } = this.#stream.next();
    const filter = this.#expressions.filter(null, true);
    if (filter === null) throw syntaxError("expected a filter", line);
    const { body } = this.#body("endfilter");
    return { kind: "filter block", line, filter, body };
  }

  #with(): Statement {
    const stream = this.#stream;
    const { line } = stream.next();
    const targets: Target[] = [];
    const values: Expression[] = [];
    while (!stream.is("block end")) {
      if (targets.length > 0) stream.expectOperator(",");
      targets.push(this.#expressions.target());
      stream.expectOperator("=");
      values.push(this.#expressions.expression());
    }
    const { body } = this.#body("endwith");
    return { kind: "with", line, targets, values, body };
  }

  #print(): Statement {
    const stream = this.#stream;
    const { line } = stream.next();
    const parts: Expression[] = [];
    while (!stream.is("block end")) {
      if (parts.length > 0) stream.expectOperator(",");
      parts.push(this.#expressions.expression());
    }
    return { kind: "output", line, parts };
  }

  #generation(): Statement {
    const { line } = this.#stream.next();
    const { body } = this.#body("endgeneration");
    return { kind: "generation", line, macro: { line, name: null, parameters: [], body } };
  }
}
