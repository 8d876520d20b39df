import { describe, expect, test } from "bun:test";
import { parseJson } from "../../src/json/lossless.ts";
import { pythonJson } from "../../src/json/python-json.ts";
import { RenderError } from "../../src/tito/render-error.ts";
import { bareFunctions, canonicalTools } from "../../src/tito/tool-definitions.ts";

function canonical(json: string, wrapBareFunctions = true): string {
  return pythonJson(canonicalTools(parseJson(json), { wrapBareFunctions }));
}

describe("canonicalTools()", () => {
  test("orders members, fills in defaults and drops what sglang does not know", () => {
    expect(canonical('[{"x": 1, "function": {"strict": true, "name": "f", "y": 2}}]')).toBe(
      '[{"type": "function", "function": ' +
        '{"description": null, "name": "f", "parameters": null, "strict": true}}]',
    );
  });

  test("keeps parameters as written", () => {
    const parameters = '{"10": 1.0, "2": 12345678901234567890, "a": {}}';
    expect(canonical(`[{"function": {"name": "f", "parameters": ${parameters}}}]`)).toContain(
      `"parameters": ${parameters}`,
    );
  });

  test("takes a bare function for a tool only when told so", () => {
    expect(canonical('[{"name": "f"}]')).toContain('"function": {"description": null, "name": "f"');
    expect(() => canonical('[{"name": "f"}]', false)).toThrow("tools[0].function is missing");
  });

  for (const none of ["null", "[]", "{}", '""', "0", "false"]) {
    test(`takes ${none} for no tools`, () => {
      expect(canonical(none)).toBe("null");
    });
  }

  test("converts strict as pydantic does", () => {
    const strict = (value: string) =>
      canonical(`[{"function": {"name": "f", "strict": ${value}}}]`);
    for (const value of ["true", "1", "1.0", '"Yes"', '"on"', '"T"']) {
      expect(strict(value)).toContain('"strict": true');
    }
    for (const value of ["false", "0", "-0.0", '"no"', '"OFF"', '"f"']) {
      expect(strict(value)).toContain('"strict": false');
    }
  });

  const refused: [tools: string, message: string][] = [
    ['{"a": 1}', "tools must be a list of tools"],
    ['"x"', "tools must be a list of tools"],
    ["[1]", "tools[0] must be an object"],
    ['[{"function": {"name": "f"}}, {"function": 1}]', "tools[1].function must be an object"],
    ['[{"type": 1, "function": {"name": "f"}}]', "tools[0].type must be a string"],
    ['[{"type": null, "function": {"name": "f"}}]', "tools[0].type must be a string"],
    ["[{}]", "tools[0].function.name must be a string"],
    ['[{"function": {"name": null}}]', "tools[0].function.name must be a string"],
    ['[{"function": {"name": "f", "description": 1}}]', "description must be a string or null"],
    ['[{"function": {"name": "f", "strict": null}}]', "tools[0].function.strict must be a boolean"],
    ['[{"function": {"name": "f", "strict": 2}}]', "tools[0].function.strict must be a boolean"],
    ['[{"function": {"name": "f", "strict": " yes"}}]', "strict must be a boolean"],
  ];
  for (const [tools, message] of refused) {
    test(`refuses ${tools}`, () => {
      expect(() => canonical(tools)).toThrow(RenderError);
      expect(() => canonical(tools)).toThrow(message);
    });
  }
});

test("bareFunctions() takes the functions out", () => {
  const tools = canonicalTools(parseJson('[{"name": "f"}]'), { wrapBareFunctions: true }) ?? [];
  expect(pythonJson(bareFunctions(tools))).toBe(
    '[{"description": null, "name": "f", "parameters": null, "strict": false}]',
  );
});
