import { describe, expect, test } from "bun:test";
import { UpstreamError } from "../../src/errors.ts";
import { transportError } from "../../src/upstream/transport-error.ts";

const message = (text: string, properties: object = {}) =>
  transportError(Object.assign(new Error(text), properties)).message;

describe("transportError()", () => {
  test("names code and text, the code once", () => {
    expect(message("cut")).toBe("backend transport error: Error: cut");
    expect(message("it broke", { code: "ECONNRESET" })).toBe(
      "backend transport error: ECONNRESET: it broke",
    );
    expect(message("ECONNRESET: it broke", { code: "ECONNRESET" })).toBe(
      "backend transport error: ECONNRESET: it broke",
    );
  });

  test("says what a shortage of descriptors means", () => {
    expect(message("", { code: "EMFILE" })).toBe(
      "backend transport error: EMFILE: this server has as many files open as it may (ulimit -n)",
    );
  });

  test("leaves an UpstreamError as it is, and keeps any other as the cause", () => {
    const error = new UpstreamError("x");
    expect(transportError(error)).toBe(error);
    const cause = new Error("y");
    expect(transportError(cause).cause).toBe(cause);
  });
});
