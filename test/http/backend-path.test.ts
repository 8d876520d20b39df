import { describe, expect, test } from "bun:test";
import { isPathAllowed, readBackendPath } from "../../src/http/backend-path.ts";
import { pathDecodingsMax } from "../../src/limits.ts";

describe("readBackendPath()", () => {
  test.each([
    ["", ""],
    ["v1/models", "v1/models"],
    ["v1%2Fmodels", "v1/models"],
    ["a/%66lush", "a/flush"],
    ["a%zz/%", "a%zz/%"],
    ["...", "..."],
    ["a..b/.hidden", "a..b/.hidden"],
    ["/host/path", "/host/path"],
    ["%2566", "%66"],
  ])("reads %j as the backend does", (raw, path) => {
    expect(readBackendPath(raw)).toBe(path);
  });

  test.each([
    "..",
    "../flush_cache",
    "v1/../../flush_cache",
    "v1/%2e%2e/%2E./flush_cache",
    "v1%2f..%2f..%2fflush_cache",
    "%252e%252e/flush_cache",
    "v1/..;a=b/flush_cache",
    "v1\\..\\flush_cache",
    "v1/%5c..%5cflush_cache",
    "./flush_cache",
  ])("refuses %j", (raw) => {
    expect(readBackendPath(raw)).toBeNull();
  });
});

describe("pathDecodingsMax", () => {
  /** "%" escaped over and over: as many decodings give it back. */
  const escaped = (times: number) => `%${"25".repeat(times)}`;

  test("a path is read that so many decodings leave as it is, one that changes still is not", () => {
    expect(readBackendPath(escaped(pathDecodingsMax - 1))).toBe(escaped(pathDecodingsMax - 2));
    expect(readBackendPath(escaped(pathDecodingsMax))).toBeNull();
  });
});

describe("isPathAllowed()", () => {
  test.each([
    ["v1/models", ["*"], true],
    ["", ["*"], true],
    ["v1/models", [], false],
    ["v1/models", ["v1/models"], true],
    ["v1/models/x", ["v1/models"], false],
    ["v1/models/x", ["v1/*"], true],
    ["v1", ["v1/*"], false],
    ["flush_cache", ["v1/*", "tokenize"], false],
    ["/v1/models", ["v1/*"], false],
  ] as const)("%j by %j: %p", (path, allowed, expected) => {
    expect(isPathAllowed(path, allowed)).toBe(expected);
  });
});
