import { describe, expect, test } from "bun:test";
import { tokenize } from "../../src/chat-template/lexer.ts";
import { failure, render } from "./rendering.ts";

describe("tokenize()", () => {
  test("gives kinds, texts, values and lines", () => {
    const tokens = tokenize("a\n{{ b.c + 1.5 }}\n{% if 'x\\n' %}");
    expect(tokens.map(({ kind, text, line }) => [kind, text, line])).toEqual([
      ["data", "a\n", 1],
      ["variable begin", "", 2],
      ["name", "b", 2],
      ["operator", ".", 2],
      ["name", "c", 2],
      ["operator", "+", 2],
      ["float", "1.5", 2],
      ["variable end", "", 2],
      ["data", "\n", 2],
      ["block begin", "", 3],
      ["name", "if", 3],
      ["string", "'x\\n'", 3],
      ["block end", "", 3],
      ["end", "", 3],
    ]);
    expect(tokens[11]?.value).toBe("x\n");
  });

  test("makes a token of what cannot be cut", () => {
    expect(tokenize("a{{ ? }}").at(-2)).toMatchObject({ kind: "fault" });
  });
});

describe("whitespace around tags", () => {
  test.each([
    ["  {% if 1 %}\na\n  {% endif %}\nb", "a\nb"],
    ["x {% if 1 %}\na{% endif %}\n\nb", "x a\nb"],
    ["  {%+ if 1 %}a{% endif +%}\nb", "  a\nb"],
    ["a \n {%- if 1 -%} \n b {%- endif %}", "ab"],
    ["a {{- 1 -}} b {{ 2 }} c", "a1b 2 c"],
    ["  {{ 1 }}\n", "  1"],
    ["a\n{# c #}\nb", "a\nb"],
    ["a\n  {# c #}\n  b", "a\n  b"],
    ["a {#- c -#} b", "ab"],
    ["a{% raw %}\n{{ x }}\n{% endraw %}\nb", "a\n{{ x }}\nb"],
    ["a{% raw -%} {{ x }} {%- endraw -%} b", "a{{ x }}b"],
    ["a\r\nb\rc\n\n", "a\nb\nc\n"],
    ["{% if 1 %}\r\nx\r\n{% endif %}", "x\n"],
    ["\u2028 {% if 1 %}a{% endif %}", "a"],
    ["{{ '}}' }}{{ {'a': {}} }}", "}}{'a': {}}"],
    ["{ % { {a} #}", "{ % { {a} #}"],
  ])("%j renders %j", (source, text) => {
    expect(render(source)).toBe(text);
  });

  test.each([
    ["{# a", "Missing end of comment tag"],
    ["{% raw %} a", "Missing end of raw directive"],
    ["{{ ) }}", "unexpected ')'"],
    ["{{ 'a }}", `unexpected char "'" at 3`],
    ["{{ a² }}", "Invalid character in identifier"],
  ])("%j is an error: %s", (source, reason) => {
    expect(failure(() => render(source)).reason).toBe(reason);
  });
});
