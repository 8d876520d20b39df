import { describe, expect, test } from "bun:test";
import { tokenize } from "../../src/chat-template/lexer.ts";
import { describeToken, TokenStream } from "../../src/chat-template/token-stream.ts";
import { failure } from "./rendering.ts";

const stream = (source: string) => new TokenStream(tokenize(source));

describe("TokenStream", () => {
  test("moves over the tokens and stays at the end", () => {
    const tokens = stream("{{ a }}");
    expect(tokens.next().kind).toBe("variable begin");
    expect(tokens.look().kind).toBe("variable end");
    expect([tokens.isName("b", "a"), tokens.skipName("b"), tokens.skipName("a")]).toEqual([
      true,
      false,
      true,
    ]);
    tokens.next();
    expect([tokens.next().kind, tokens.next().kind]).toEqual(["end", "end"]);
  });

  test("says what it expected", () => {
    expect(failure(() => stream("a").expectKind("block end")).reason).toBe(
      "expected token 'end of statement block', got 'template data / text'",
    );
    const tokens = stream("{{ a");
    tokens.next();
    tokens.next();
    expect(failure(() => tokens.expectOperator(")")).reason).toBe(
      "unexpected end of template, expected ')'.",
    );
  });

  test("raises what could not be cut only when it is reached", () => {
    const tokens = stream("{{ a ? }}");
    tokens.next();
    expect(tokens.current.text).toBe("a");
    expect(failure(() => tokens.look()).reason).toStartWith("unexpected char '?'");
    expect(failure(() => tokens.next()).reason).toStartWith("unexpected char '?'");
  });
});

describe("describeToken()", () => {
  test("is the text of names and operators, and the kind of the rest", () => {
    expect(tokenize("{{ a + 'x' }}").map(describeToken)).toEqual([
      "begin of print statement",
      "a",
      "+",
      "string",
      "end of print statement",
      "end of template",
    ]);
  });
});
