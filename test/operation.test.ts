import { expect, test } from "bun:test";
import { errorReply, healthReply, jsonReply } from "../src/operation.ts";

const text = (body: unknown) => new TextDecoder().decode(body as Uint8Array);

test("jsonReply() is compact and has the media type without charset", () => {
  const reply = jsonReply(201, { a: [1, "é"] });
  expect(reply.status).toBe(201);
  expect(reply.headers).toEqual([["content-type", "application/json"]]);
  expect(text(reply.body)).toBe('{"a":[1,"é"]}');
});

test("errorReply() puts the message under error", () => {
  expect(text(errorReply(404, 'no "x"').body)).toBe('{"error":"no \\"x\\""}');
});

test("healthReply() names the instance", () => {
  expect(text(healthReply("abc").body)).toBe('{"status":"ok","session_server_instance_id":"abc"}');
});
