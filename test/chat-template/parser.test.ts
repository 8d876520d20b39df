import { describe, expect, test } from "bun:test";
import { parseTemplate } from "../../src/chat-template/parser.ts";
import { failure } from "./rendering.ts";

describe("parseTemplate()", () => {
  test("joins text and print statements into one output", () => {
    expect(parseTemplate("a{{ b }}{# c #}d{% print 1, 2 %}")).toMatchObject([
      { kind: "output", line: 1, parts: ["a", { kind: "name", name: "b" }, "d"] },
      { kind: "output", parts: [{ value: 1 }, { value: 2 }] },
    ]);
  });

  test("keeps elif branches beside their if", () => {
    const [statement] = parseTemplate(
      "{% if a %}1{% elif b %}2{% elif c %}3{% else %}4{% endif %}",
    );
    expect(statement).toMatchObject({
      kind: "if",
      condition: { name: "a" },
      elifs: [
        { condition: { name: "b" }, elifs: [], otherwise: [] },
        { condition: { name: "c" }, elifs: [], otherwise: [] },
      ],
      otherwise: [{ parts: ["4"] }],
    });
  });

  test("takes every form of every tag", () => {
    const source = `{% for a, b in c if d recursive %}{% break %}{% else %}{% endfor %}
      {% set a, n.b = 1, 2 %}{% set a | upper | trim %}x{% endset %}{% filter upper|trim %}x{% endfilter %}
      {% with a = 1, b = 2 %}{% endwith %}{% macro m(a, b=1) %}{% endmacro %}
      {% call(a, b=1) m(1) %}{% endcall %}{% call m() %}{% endcall %}
      {% generation %}x{% endgeneration %}{% if a: %}{% endif %}`;
    const kinds = parseTemplate(source).map((statement) => statement.kind);
    expect(kinds.filter((kind) => kind !== "output")).toEqual([
      "for",
      "set",
      "set block",
      "filter block",
      "with",
      "macro",
      "call block",
      "call block",
      "generation",
      "if",
    ]);
  });

  test.each([
    [
      "{% if a %}\n{% for b in c %}{% endif %}",
      "Encountered unknown tag 'endif'. You probably made a nesting mistake. Jinja is expecting this " +
        "tag, but currently looking for 'endfor' or 'else'. The innermost block that needs to be " +
        "closed is 'for'.",
      2,
    ],
    [
      "{% macro m() %}",
      "Unexpected end of template. Jinja was looking for the following tags: 'endmacro'. " +
        "The innermost block that needs to be closed is 'macro'.",
      1,
    ],
    ["{% do x %}", "Encountered unknown tag 'do'.", 1],
    ["{% 1 %}", "tag name expected", 1],
    ["{% if a b %}", "expected token 'end of statement block', got 'b'", 1],
    ["{% macro m(a=1, b) %}{% endmacro %}", "non-default argument follows default argument", 1],
    ["{% macro none() %}{% endmacro %}", "can't assign to 'name'", 1],
    ["{% call 1 %}{% endcall %}", "expected call", 1],
    ["{% for in x %}{% endfor %}", "expected token 'in', got 'x'", 1],
    [
      "{% set x %}",
      "Unexpected end of template. Jinja was looking for the following tags: 'endset'. The innermost block that needs to be closed is 'set'.",
      1,
    ],
  ])("reports %j", (source, reason, line) => {
    expect(failure(() => parseTemplate(source))).toMatchObject({ reason, line });
  });
});
