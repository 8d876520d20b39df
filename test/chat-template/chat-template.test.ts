import { describe, expect, test } from "bun:test";
import { compileChatTemplate } from "../../src/chat-template/chat-template.ts";
import { TemplateError, TemplateTypeError } from "../../src/chat-template/errors.ts";
import type { JsonValue } from "../../src/json/values.ts";
import { templateTextUnitsMax } from "../../src/limits.ts";
import { failure, render } from "./rendering.ts";

describe("render()", () => {
  test("prints values as Python prints them", () => {
    expect(render("{{ x }}", '{"x": [1.0, null, true, {"10": "a", "2": 1e16}]}')).toBe(
      "[1.0, None, True, {'10': 'a', '2': 1e+16}]",
    );
  });

  test("tells a variable that is None from one that is not there", () => {
    expect(render("{{ tools is none }}{{ other is defined }}", '{"tools": null}')).toBe(
      "TrueFalse",
    );
  });

  test("lets variables hide globals", () => {
    expect(render("{{ range }}", '{"range": 1}')).toBe("1");
  });

  test("keeps no state between renders and leaves the variables alone", () => {
    const template = compileChatTemplate(
      "{% set ns = namespace(n=n) %}{% set ns.n = ns.n + 1 %}{% set n = ns.n %}{{ n }}",
      "test",
    );
    const variables = new Map<string, JsonValue>([["n", 1]]);
    expect([template.render(variables), template.render(variables)]).toEqual(["2", "2"]);
    expect(variables.get("n")).toBe(1);
  });

  test("takes the time of strftime_now from its clock", () => {
    const template = compileChatTemplate("{{ strftime_now('%d %b %Y') }}", "test", {
      now: () => new Date(2026, 7, 1),
    });
    expect(template.render(new Map())).toBe("01 Aug 2026");
  });
});

describe("errors", () => {
  test("of the template language are TemplateErrors with class, template and line", () => {
    const error = failure(() => render("a\n{% if true %}\n{{ x.y }}{% endif %}"));
    expect(error).toBeInstanceOf(TemplateError);
    expect(error).toMatchObject({ pythonClass: "UndefinedError", template: "test", line: 3 });
    expect(error.message).toBe("UndefinedError: 'x' is undefined (template test, line 3)");
  });

  test("of Python's operations are TemplateTypeErrors", () => {
    const error = failure(() => render("{{ 'a' + x }}", '{"x": null}'));
    expect(error).toBeInstanceOf(TemplateTypeError);
    expect(error.reason).toBe('can only concatenate str (not "NoneType") to str');
  });

  test("of raise_exception carry the template's own words", () => {
    expect(failure(() => render("{{ raise_exception('No ' ~ 1) }}"))).toMatchObject({
      name: "TemplateError",
      reason: "No 1",
    });
  });

  test("of the sandbox are raised when the attribute is used", () => {
    expect(render("{{ x.append is defined }}", '{"x": []}')).toBe("False");
    expect(failure(() => render("{{ x.append(1) }}", '{"x": []}'))).toMatchObject({
      name: "TemplateError",
      pythonClass: "SecurityError",
    });
  });

  test.each([
    ["{% if x %}", "Unexpected end of template."],
    ["\n{% nosuchtag %}", "Encountered unknown tag 'nosuchtag'."],
    ["{{ x", "unexpected end of template"],
    ["{{ 1 | nosuchfilter }}", "No filter named 'nosuchfilter'."],
    ["{{ 1 is nosuchtest }}", "No test named 'nosuchtest'."],
    ["{% break %}", "'break' outside loop"],
    ["{{ a b }}", "expected token 'end of print statement', got 'b'"],
    ["{# open", "Missing end of comment tag"],
    ["{{ ? }}", "unexpected char '?' at 3"],
  ])("of the source %j are found when it is compiled", (source, reason) => {
    const error = failure(() => compileChatTemplate(source, "test"));
    expect(error.name).toBe("TemplateError");
    expect(error.pythonClass).toMatch(/^Template(Syntax|Assertion)Error$/);
    expect(error.reason).toStartWith(reason);
    expect(error.line).toBe(source.startsWith("\n") ? 2 : 1);
  });

  test("of a filter that is missing wait inside an if", () => {
    const source = "{% if x %}{{ 1 | nosuchfilter }}{% endif %}";
    expect(render(source)).toBe("");
    expect(failure(() => render(source, '{"x": 1}')).pythonClass).toBe("TemplateRuntimeError");
  });
});

describe("compileChatTemplate() refuses by name", () => {
  test.each([
    "{% include 'a' %}",
    "{% import 'a' as b %}",
    "{% from 'a' import b %}",
    "{% extends 'a' %}",
    "{% block a %}{% endblock %}",
    "{% autoescape true %}{% endautoescape %}",
    "{{ self }}",
    "{{ x | urlize }}",
    "{{ x | random }}",
    "{% if false %}{{ x | pprint }}{% endif %}",
  ])("%s", (source) => {
    const error = failure(() => compileChatTemplate(source, "test"));
    expect(error).toBeInstanceOf(TemplateError);
    expect(error.reason).toEndWith("is not supported by this template engine");
  });
});

describe("bounds end", () => {
  const endless = "{% for a in range(100000) %}".repeat(3) + "{% endfor %}".repeat(3);

  test.each([
    ["loops", endless],
    ["texts", "{{ 'x' * 100000000000 }}"],
    [
      "texts that double",
      "{% set ns = namespace(s='x') %}{% for i in range(99) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
    ],
    ["replacements", "{% set x = 'a' * 10000 %}{{ x.replace('a', x).replace('a', x) }}"],
    ["padding", "{{ '%999999999999d' % 1 }}"],
    [
      "lists that double",
      "{% set ns = namespace(l=[1]) %}{% for i in range(99) %}{% set ns.l = ns.l + ns.l %}{% endfor %}",
    ],
    ["integers", "{{ 10 ** 1000000000 }}"],
    ["macros that call themselves", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"],
    [
      "values inside each other",
      "{% set ns = namespace(l=[]) %}{% for i in range(90000) %}{% set ns.l = [ns.l] %}{% endfor %}{{ ns.l }}",
    ],
    [
      "output",
      `{% set x = 'a' * ${templateTextUnitsMax / 4} %}{{ x }}{{ x }}{{ x }}{{ x }}{{ x }}`,
    ],
  ])("%s with a TemplateError", (_, source) => {
    const error = failure(() => render(source));
    expect(error).toBeInstanceOf(TemplateError);
    expect(error.reason).toContain("exceeds the bound of this engine");
  });

  test("ranges as Jinja's sandbox ends them", () => {
    expect(failure(() => render("{{ range(100001) }}"))).toMatchObject({
      name: "TemplateTypeError",
      pythonClass: "OverflowError",
    });
  });

  test("sources nested too deeply", () => {
    const error = failure(() => compileChatTemplate(`{{ ${"(".repeat(200_000)}`, "test"));
    expect(error).toBeInstanceOf(TemplateError);
  });
});
