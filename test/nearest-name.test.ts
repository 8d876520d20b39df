import { describe, expect, test } from "bun:test";
import { nearestName, onlyNameWith } from "../src/nearest-name.ts";

const known = [
  "workers",
  "host",
  "port",
  "backend-url",
  "hf-checkpoint",
  "tito-model",
  "log-level",
];

describe("nearestName()", () => {
  test.each([
    ["workers", "workers"],
    ["worker", "workers"],
    ["wrokers", "workers"],
    ["prot", "port"],
    ["ports", "port"],
    ["BACKEND_URL", "backend-url"],
    ["backendUrl", "backend-url"],
    ["hf-chekpiont", "hf-checkpoint"],
    ["url", null],
    ["timeout", null],
    ["", null],
    ["checkpoint", "hf-checkpoint"],
  ])("of %p is %p", (name, expected) => {
    expect(nearestName(name, known)).toBe(expected);
  });

  test("prefers the fewest slips, then the order of the known names", () => {
    expect(nearestName("abcd", ["abce", "abcd"])).toBe("abcd");
    expect(nearestName("abcd", ["abce", "abcf"])).toBe("abce");
    expect(nearestName("abcd", [])).toBeNull();
  });
});

describe("onlyNameWith()", () => {
  test.each([
    ["backend", "backend-url"],
    ["model", "tito-model"],
    ["titoModel", "tito-model"],
    ["level_log", "log-level"],
    ["back", null],
    ["", null],
    ["-", null],
  ])("words of %p: %p", (name, expected) => {
    expect(onlyNameWith(name, known)).toBe(expected);
  });

  test("is null when several names have the words", () => {
    expect(onlyNameWith("log", ["log-level", "log-format"])).toBeNull();
  });
});
