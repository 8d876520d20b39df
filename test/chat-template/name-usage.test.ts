import { describe, expect, test } from "bun:test";
import { undeclaredNames } from "../../src/chat-template/name-usage.ts";
import { parseTemplate } from "../../src/chat-template/parser.ts";

describe("undeclaredNames()", () => {
  test.each([
    ["{{ loop.index }}", ["loop"]],
    ["{% if a %}{{ [loop] }}{% endif %}", ["loop"]],
    ["{% set loop = 1 %}{{ loop }}", []],
    ["{{ loop }}{% set loop = 1 %}", ["loop"]],
    ["{% for x in a %}{{ caller() }}{% endfor %}", ["caller"]],
    ["{% for x in a if loop %}{% endfor %}", ["loop"]],
    ["{% macro m(loop) %}{{ loop }}{% endmacro %}", []],
    ["{% macro m(x=caller) %}{% endmacro %}", ["caller"]],
    ["{% call m(loop) %}{{ caller }}{% endcall %}", ["loop", "caller"]],
    ["{% with loop = 1 %}{{ loop }}{% endwith %}", []],
    ["{% filter replace(loop, '') %}{% endfilter %}", ["loop"]],
    ["{% set x %}{{ loop }}{% endset %}", ["loop"]],
    ["{% generation %}{{ loop }}{% endgeneration %}", ["loop"]],
    ["{{ x.loop }}{{ 'loop' }}", []],
  ])("of %s are %j", (source, names) => {
    expect([...undeclaredNames(parseTemplate(source), ["loop", "caller"])]).toEqual(names);
  });
});
