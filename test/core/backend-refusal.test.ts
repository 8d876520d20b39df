import { describe, expect, test } from "bun:test";
import { refusalInProtocol } from "../../src/core/backend-refusal.ts";
import { refusalCharactersQuoted } from "../../src/limits.ts";
import type { TurnOperation } from "../../src/operation.ts";
import type { UpstreamReply } from "../../src/upstream/upstream-client.ts";
import { json } from "./fake-server.ts";

function refused(status: number, body: string, headers: [string, string][] = []) {
  const upstreamReply: UpstreamReply = {
    status,
    headers,
    contentLength: null,
    body: new Response(body).body ?? new ReadableStream(),
  };
  return refusalInProtocol({ kind: "messages" } as TurnOperation, upstreamReply);
}

describe("refusalInProtocol()", () => {
  test.each([
    ['{"object":"error","message":"too long","code":400}', "too long"],
    ['{"error":{"message":"too long","type":"x"}}', "too long"],
    ['{"error":"too long"}', "too long"],
    ['{"detail":"too long"}', "too long"],
    ["too long\n", "too long"],
    ["", "the backend answered with status 400"],
    ["x".repeat(refusalCharactersQuoted), "x".repeat(refusalCharactersQuoted)],
    ["x".repeat(refusalCharactersQuoted + 1), "x".repeat(refusalCharactersQuoted)],
  ])("finds the sentence of %j", async (body, message) => {
    const reply = await refused(400, body);
    expect(reply.status).toBe(400);
    expect(await json(reply)).toEqual({
      type: "error",
      error: { type: "invalid_request_error", message },
    });
  });

  test("says when to come again", async () => {
    const reply = await refused(429, "busy", [
      ["retry-after", "3"],
      ["x", "1"],
    ]);
    expect(reply.headers).toContainEqual(["retry-after", "3"]);
    expect(reply.headers).not.toContainEqual(["x", "1"]);
  });

  test("takes what is no error for a bad gateway", async () => {
    expect((await refused(302, "")).status).toBe(502);
  });
});
