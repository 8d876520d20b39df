import { expect, test } from "bun:test";
import { TruncatedResponseError } from "../../../src/upstream/http1/truncated-response.ts";

test("TruncatedResponseError says where, with the code of a reset connection", () => {
  const error = new TruncatedResponseError("before it answered");
  expect(error.message).toBe("the backend closed the connection before it answered");
  expect(error.code).toBe("ECONNRESET");
});
