import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireSettingFiles } from "../../src/lifecycle/setting-files.ts";
import { memberNames, UsageError } from "../../src/usage-error.ts";
import { fixtureConfig } from "../fixtures-lifecycle/fixture-server.ts";

const directory = mkdtempSync(join(tmpdir(), "setting-files-"));
const inside = (name: string) => join(directory, name);

beforeAll(() => {
  for (const name of ["fast", "tiktoken", "empty"]) mkdirSync(inside(name));
  writeFileSync(inside("fast/tokenizer.json"), "{}");
  writeFileSync(inside("tiktoken/tiktoken.model"), "");
  writeFileSync(inside("template.jinja"), "{{ messages }}");
  writeFileSync(inside("secret.jinja"), "");
  chmodSync(inside("secret.jinja"), 0);
  symlinkSync(inside("nothing"), inside("dangling"));
});
afterAll(() => rmSync(directory, { recursive: true }));

function fault(settings: { hfCheckpoint?: string | null; chatTemplatePath?: string }): string {
  const config = { ...fixtureConfig, ...settings };
  try {
    requireSettingFiles(config, memberNames(config));
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  return "";
}

describe("requireSettingFiles()", () => {
  test("takes a checkpoint with either kind of tokenizer, and none", () => {
    for (const name of ["fast", "tiktoken"]) expect(fault({ hfCheckpoint: inside(name) })).toBe("");
    expect(fault({ hfCheckpoint: null, chatTemplatePath: inside("template.jinja") })).toBe("");
  });

  test.each([
    ["empty", " has no tokenizer"],
    ["template.jinja", " is no directory"],
    ["nothing", ""],
    ["dangling", ""],
    ["template.jinja/below", ""],
  ])("refuses the checkpoint %s", (name, problem) => {
    const path = inside(name);
    const said = problem === "" ? `there is no directory ${path}` : path + problem;
    expect(fault({ hfCheckpoint: path })).toBe(
      `hfCheckpoint "${path}": ${said}; expected a directory that holds tokenizer.json or ` +
        "tiktoken.model",
    );
  });

  test("refuses a template that is not there, or no file", () => {
    const refused = (name: string) => fault({ chatTemplatePath: inside(name) });
    expect(refused("nothing")).toBe(
      `chatTemplatePath "${inside("nothing")}": there is no file ${inside("nothing")}; ` +
        "expected a readable file with a Jinja chat template",
    );
    expect(refused("empty")).toContain("cannot be read as a file");
  });

  // Root may read everything.
  test.skipIf(process.getuid?.() === 0)("refuses a template that may not be read", () => {
    expect(fault({ chatTemplatePath: inside("secret.jinja") })).toContain("cannot be read as");
  });
});
