import { describe, expect, test } from "bun:test";
import { SchemaReader } from "../../../src/tito/kimi/schema-reader.ts";
import { NotDeclarable } from "../../../src/tito/kimi/schema-types.ts";
import { object } from "../../fixtures/json.ts";

function written(schema: string): string {
  const value = object(`{"schema": ${schema}}`).get("schema") ?? null;
  return new SchemaReader().read(value).write("").text;
}

describe("SchemaReader.read()", () => {
  const known: [schema: string, type: string][] = [
    ["true", "any"],
    ["false", "null"],
    ["{}", "any"],
    ['{"type": "integer"}', "number"],
    ['{"type": ["string", "null", "array"]}', "string | null | Array<any>"],
    ['{"anyOf": [{"type": "string"}, {"enum": [1, "a"]}]}', 'string | 1 | "a"'],
    ['{"type": "array", "items": {"type": "boolean"}}', "Array<boolean>"],
    ['{"type": "array"}', "Array<any>"],
    ['{"type": "object", "additionalProperties": false}', "{\n  [k: string]: never\n}"],
    ['{"type": "made up"}', "made up"],
    ['{"$ref": "#"}', "parameters"],
  ];
  for (const [schema, type] of known) {
    test(`${schema} is ${type}`, () => expect(written(schema)).toBe(type));
  }

  const refused = [
    "null",
    '"string"',
    '{"description": "no type"}',
    '{"$ref": "#/$defs/Missing"}',
    '{"$ref": "http://x"}',
    '{"type": "string", "enum": [1]}',
    '{"type": ["a", "b"], "enum": []}',
    '{"anyOf": [{"type": 1}]}',
    '{"type": "object", "additionalProperties": 3}',
    '{"type": "object", "properties": {}, "required": [[]]}',
  ];
  for (const schema of refused) {
    test(`${schema} has no declaration`, () =>
      expect(() => written(schema)).toThrow(NotDeclarable));
  }
});
