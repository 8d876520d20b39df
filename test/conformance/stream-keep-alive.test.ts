/**
 * Streams that begin before their reply is there, over one process and over a router with workers.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { checkpointDirectory } from "../fixtures/checkpoints.ts";
import {
  type BackendReply,
  type ScriptedBackend,
  startScriptedBackend,
} from "../harness/scripted-backend.ts";
import { type ServerProcess, startServer } from "../harness/server-process.ts";
import { hangMs } from "../harness/time-limit.ts";

const messages = [{ role: "user", content: "a" }];
const ways = [
  ["v1/chat/completions", { messages }, ": keep-alive\n\n", "data: [DONE]\n\n"],
  ["v1/messages", { messages, max_tokens: 5 }, "event: ping\n", "event: message_stop\n"],
  ["v1/responses", { input: "a" }, "event: response.in_progress\n", "event: response.completed\n"],
] as const;

function generated(content: string | null): BackendReply {
  const message = { role: "assistant", content };
  const metaInfo = { completion_tokens: 1, output_token_logprobs: [[-0.5, 7, null]] };
  const choice = { index: 0, message, finish_reason: "stop", meta_info: metaInfo };
  const body = JSON.stringify({ id: "x", created: 1, model: "m", choices: [choice] });
  return { status: 200, headers: { "content-type": "application/json" }, body };
}

describe.each([1, 4])("--workers %d", (workers) => {
  let backend: ScriptedBackend;
  let server: ServerProcess;

  beforeAll(async () => {
    backend = startScriptedBackend();
    server = await startServer([
      ...["--port", "0", "--workers", String(workers), "--backend-url", backend.url],
      ...["--hf-checkpoint", checkpointDirectory("qwen3"), "--tito-model", "qwen3"],
      ...["--stream-keep-alive-seconds", "1", "--log-level", "warn"],
    ]);
  }, hangMs);

  afterAll(async () => {
    expect(await server.stop()).toBe(0);
    // Turns that failed are told; clients that left, and replies that went well, are not.
    const lines = server.log().trimEnd().split("\n");
    expect(lines.filter((line) => !line.includes("assistant message content is None"))).toEqual([]);
    await backend.stop();
  });

  async function createSession(): Promise<string> {
    const reply = await fetch(`${server.url}/sessions`, { method: "POST" });
    return ((await reply.json()) as { session_id: string }).session_id;
  }

  async function stateOf(id: string): Promise<{ state: string; turns: unknown[] }> {
    return (await (await fetch(`${server.url}/sessions/${id}/summary`)).json()) as never;
  }

  /** A streamed request whose model answers once `gate` resolves. */
  function ask(id: string, path: string, body: object, reply: Promise<BackendReply>) {
    backend.reply(id, () => reply);
    const leaving = new AbortController();
    const response = fetch(`${server.url}/sessions/${id}/${path}`, {
      method: "POST",
      body: JSON.stringify({ ...body, stream: true }),
      signal: leaving.signal,
    });
    return { response, leave: () => leaving.abort() };
  }

  test.each(ways)("%s lives until its reply is there", async (path, body, keepAlive, ended) => {
    const id = await createSession();
    const reply = Promise.withResolvers<BackendReply>();
    const response = await ask(id, path, body, reply.promise).response;
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      // The opening, and one sign of life at least.
      if (text.split(keepAlive).length > 2) reply.resolve(generated("one"));
    }
    expect(text).toContain(ended);
    expect((await stateOf(id)).turns).toHaveLength(1);
  });

  test.each(ways)("%s that fails ends with an error", async (path, body, keepAlive, ended) => {
    const id = await createSession();
    const reply = Promise.withResolvers<BackendReply>();
    const response = await ask(id, path, body, reply.promise).response;
    reply.resolve(generated(null));
    const text = await response.text();
    expect(text).toContain(keepAlive);
    expect(text).toContain("assistant message content is None");
    expect(text).not.toContain(ended);
    expect((await stateOf(id)).turns).toEqual([]);
  });

  test("a client that leaves a stream that has begun ends its own wait only", async () => {
    const id = await createSession();
    const reply = Promise.withResolvers<BackendReply>();
    const asked = ask(id, "v1/chat/completions", { messages }, reply.promise);
    const reader = (await asked.response).body?.getReader();
    await reader?.read();
    asked.leave();
    expect((await stateOf(id)).state).toBe("in_turn");
    reply.resolve(generated("one"));
    for (;;) {
      if ((await stateOf(id)).turns.length === 1) break;
    }
  });
});
