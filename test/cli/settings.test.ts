import { describe, expect, test } from "bun:test";
import { environmentVariable, settings } from "../../src/cli/settings.ts";

describe("settings", () => {
  test.each(settings.map((setting) => [setting.name, setting] as const))(
    "%s accepts its own default",
    (_name, setting) => {
      if (setting.default !== null) expect(setting.accepts(setting.default)).toBe(true);
    },
  );

  test("names are flags in kebab case, each once", () => {
    const names = settings.map((setting) => setting.name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });

  test.each([
    ["backend-url", "http://127.0.0.1:30000", true],
    ["backend-url", "https://host/base/", true],
    ["backend-url", "mock", true],
    ["backend-url", "http://host/?a=1", false],
    ["backend-url", "ftp://host", false],
    ["host", "::1", true],
    ["host", "a/b", false],
    ["workers", "1024", true],
    ["workers", "1025", false],
    ["port", "0", true],
    ["port", "-1", false],
    ["chat-template-kwargs", "null", false],
  ])("%s %s: %p", (name, text, expected) => {
    expect(settings.find((setting) => setting.name === name)?.accepts(text)).toBe(expected);
  });
});

test("environmentVariable() is the flag in capitals behind SESSION_SERVER_", () => {
  expect(environmentVariable({ name: "hf-checkpoint" })).toBe("SESSION_SERVER_HF_CHECKPOINT");
});
