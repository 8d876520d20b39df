import { expect, test } from "bun:test";
import * as errors from "../src/errors.ts";

test.each([
  [new errors.SessionNotFoundError("s"), 404, "session not found: session_id=s"],
  [new errors.SessionExistsError("s"), 409, "session exists already: session_id=s"],
  [new errors.InvalidRequestError("x"), 400, "x"],
  [new errors.UpstreamError("x"), 502, "x"],
  [new errors.UpstreamAbortedError("x"), 503, "x"],
  [new errors.WorkerUnavailableError("x"), 503, "x"],
])("%p has its status and text", (error, status, message) => {
  expect(error).toBeInstanceOf(errors.SessionError);
  expect([error.status, error.message]).toEqual([status, message]);
});

test("errorText() reads anything thrown", () => {
  expect(errors.errorText(new Error("a"))).toBe("a");
  expect(errors.errorText("b")).toBe("b");
  expect(errors.errorText(undefined)).toBe("undefined");
});
