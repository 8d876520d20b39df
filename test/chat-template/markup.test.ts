import { describe, expect, test } from "bun:test";
import { escapeHtml, Markup } from "../../src/chat-template/markup.ts";
import { printed, raised } from "./rendering.ts";

describe("Markup", () => {
  test.each([
    ["'<a>'|safe", "<a>"],
    ["'<a>'|e", "&lt;a&gt;"],
    ["'<a>'|e|e", "&lt;a&gt;"],
    ["'<a>'|e|forceescape", "&amp;lt;a&amp;gt;"],
    ["['<a>'|safe]", "[Markup('<a>')]"],
    ["('a'|safe) ~ 'b'", "ab"],
    ["('<'|safe)|tojson, ['<'|safe]|tojson", "('\"<\"', '[\"<\"]')"],
    [
      "('a'|safe) == 'a', 'a' == ('a'|safe), ('a'|safe) in 'ab', ('a'|safe) in ['a']",
      "(True, True, True, True)",
    ],
    ["('a'|safe) is string, ('a'|safe) is escaped, ('ab'|safe)|length", "(True, True, 2)"],
    ["[1, 'a'|safe]|join('-')", "1-a"],
    ["[('a'|safe) + '<', '<' + ('>'|safe)]", "[Markup('a&lt;'), Markup('&lt;>')]"],
    ["{'a': 1}['a'|safe]", "1"],
  ])("%s prints %s", (expression, text) => {
    const isTuple = expression.includes(", ") && !expression.startsWith("[");
    expect(printed(isTuple ? `(${expression})` : expression)).toBe(text);
  });

  test.each([
    "('a'|safe) * 2",
    "('a'|safe).upper()",
    "('a'|safe)|upper",
    "('a'|safe)[0]",
    "('a'|safe) < 'b'",
  ])("refuses %s", (expression) => {
    expect(raised(expression)).toEndWith("is not supported by this template engine");
  });
});

describe("escapeHtml()", () => {
  test("escapes the five characters that markupsafe does", () => {
    expect(escapeHtml("&<>'\"é")).toEqual(new Markup("&amp;&lt;&gt;&#39;&#34;é"));
  });
});
