import { describe, expect, test } from "bun:test";
import { typescriptDeclarations } from "../../../src/tito/kimi/tool-declarations.ts";
import { object, objects } from "../../fixtures/json.ts";

function declarations(parameters: string, description = "null"): string | null {
  const declared = `{"name": "f", "description": ${description}, "parameters": ${parameters}}`;
  return typescriptDeclarations([object(`{"type": "function", "function": ${declared}}`)]);
}

function wrapped(functions: string): string {
  return `# Tools\n\n## functions\nnamespace functions {\n${functions}\n}\n`;
}

describe("typescriptDeclarations()", () => {
  test("writes required members first, each kind by name, with comments", () => {
    const parameters = `{"type": "object", "required": ["b"], "properties": {
      "z": {"type": "integer", "default": 1.0, "minimum": 0},
      "b": {"type": "string", "description": "one\\n\\ntwo", "maxLength": 3},
      "a": {"enum": ["x", null, 1.5]}}}`;
    expect(declarations(parameters, '"Does it."')).toBe(
      wrapped(
        "// Does it.\ntype f = (_: {\n  // one\n\n  // two\n  // maxLength: 3\n  b: string,\n" +
          '  a?: "x" | None | 1.5,\n  // minimum: 0\n  // Default: 1.0\n  z?: number\n}) => any;',
      ),
    );
  });

  test("writes definitions and the whole schema as interfaces", () => {
    const parameters = `{"$defs": {"N": {"type": "object", "description": "node"}},
      "properties": {"n": {"$ref": "#/$defs/N"}, "me": {"$ref": "#"}}}`;
    expect(declarations(parameters)).toBe(
      wrapped(
        "interface parameters {\n  n?: N,\n  me?: parameters\n}\n" +
          "// node\ninterface N {}\ntype f = (_: parameters) => any;",
      ),
    );
  });

  test("is empty for other types of tools, null for what has no declaration", () => {
    expect(typescriptDeclarations(objects('[{"type": "plugin"}, {"name": "bare"}]'))).toBe("");
    expect(declarations('{"properties": {"a": {"type": ["weird"]}}}')).toBeNull();
    expect(declarations('{"properties": [1]}')).toBeNull();
    expect(declarations('"text"')).toBeNull();
    expect(declarations("null")).toBe(wrapped("type f = (_: {}) => any;"));
  });
});
