import { expect, test } from "bun:test";
import { errorReply, healthReply, jsonReply, jsonTextReply } from "../src/operation.ts";

const text = (body: unknown) => new TextDecoder().decode(body as Uint8Array);

test("jsonReply() is compact and has the media type without charset", () => {
  const reply = jsonReply(201, { a: [1, "é"] });
  expect(reply.status).toBe(201);
  expect(reply.headers).toEqual([["content-type", "application/json"]]);
  expect(text(reply.body)).toBe('{"a":[1,"é"]}');
});

test("jsonTextReply() sends a text as it stands", () => {
  const reply = jsonTextReply(200, '{"a": 1.0}');
  expect(reply.headers).toEqual([["content-type", "application/json"]]);
  expect(text(reply.body)).toBe('{"a": 1.0}');
});

test("errorReply() puts the message under error", () => {
  expect(text(errorReply(404, 'no "x"').body)).toBe('{"error":"no \\"x\\""}');
});

test("healthReply() names the instance", () => {
  expect(text(healthReply("abc").body)).toBe('{"status":"ok","session_server_instance_id":"abc"}');
});
