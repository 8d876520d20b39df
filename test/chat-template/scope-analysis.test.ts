import { describe, expect, test } from "bun:test";
import { parseTemplate } from "../../src/chat-template/parser.ts";
import { analyzeBody } from "../../src/chat-template/scope-analysis.ts";
import { Scope } from "../../src/chat-template/scopes.ts";

function initials(source: string): Record<string, string> {
  const scope = Scope.root();
  analyzeBody(scope, parseTemplate(source));
  return Object.fromEntries(
    [...scope.initials()].map(([variable, initial]) => [variable.name, initial.kind]),
  );
}

describe("analyzeBody()", () => {
  test.each([
    ["{{ a }}", { a: "context" }],
    ["{% set a = 1 %}{{ a }}", { a: "undefined" }],
    ["{{ a }}{% set a = 1 %}", { a: "context" }],
    ["{% set a = a %}", { a: "context" }],
    ["{% if b %}{% set a = 1 %}{% endif %}", { a: "context", b: "context" }],
    [
      "{% if b %}{% set a = 1 %}{% elif c %}{% set a = 2 %}{% else %}{% set a = 3 %}{% endif %}",
      {
        a: "undefined",
        b: "context",
        c: "context",
      },
    ],
    ["{% for a in b %}{{ c }}{% set d = 1 %}{% endfor %}", { b: "context" }],
    ["{% macro a(b) %}{{ c }}{% endmacro %}", { a: "undefined" }],
    ["{% set a.b = c %}", { a: "context", c: "context" }],
    ["{% set a %}{{ b }}{% endset %}", { a: "undefined" }],
    ["{% with a = b %}{{ c }}{% endwith %}", { b: "context" }],
    ["{% call a(b) %}{{ c }}{% endcall %}", { a: "context", b: "context" }],
    ["{% filter a(b) %}{{ c }}{% endfilter %}", { b: "context" }],
    ["{% generation %}{{ a }}{% endgeneration %}", {}],
  ])("of %s", (source, expected) => {
    expect(initials(source)).toEqual(expected);
  });
});
