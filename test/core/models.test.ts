import { expect, test } from "bun:test";
import { isModelsRequest, standInModels } from "../../src/core/models.ts";
import { json } from "./fake-server.ts";

function upstreamReply(status: number) {
  return { status, headers: [], contentLength: null, body: new ReadableStream<Uint8Array>() };
}

test("isModelsRequest() knows the list that clients ask for", () => {
  expect(isModelsRequest({ method: "GET", path: "v1/models" })).toBe(true);
  expect(isModelsRequest({ method: "POST", path: "v1/models" })).toBe(false);
  expect(isModelsRequest({ method: "GET", path: "v1/models/m" })).toBe(false);
});

test.each([404, 405, 501])("standInModels() answers for a backend that says %d", async (status) => {
  const reply = standInModels(upstreamReply(status));
  if (reply === null) throw new Error("a reply was expected");
  expect(reply.status).toBe(200);
  expect(await json(reply)).toEqual({
    object: "list",
    data: [{ id: "default", object: "model", created: 0, owned_by: "session-server" }],
  });
});

test.each([200, 401, 500, 503])("standInModels() leaves %d to the backend", (status) => {
  expect(standInModels(upstreamReply(status))).toBeNull();
});
