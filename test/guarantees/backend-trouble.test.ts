/**
 * A backend in trouble: the client gets the documented status and a clear text, the session is as
 * it was, and the next turn works.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { checkpointDirectory } from "../fixtures/checkpoints.ts";
import { refusingUrl } from "../harness/machine.ts";
import { type RawBackend, startRawBackend } from "../harness/raw-backend.ts";
import { type ServerProcess, startServer } from "../harness/server-process.ts";
import { hangMs } from "../harness/time-limit.ts";
import { backendTroubles, goodReply } from "./backend-trouble.cases.ts";
import { documentedTable } from "./documented-table.ts";
import { Session } from "./session.ts";

const goodAnswer =
  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" +
  `Content-Length: ${Buffer.byteLength(goodReply)}\r\n\r\n${goodReply}`;

let backend: RawBackend;
beforeAll(() => {
  backend = startRawBackend();
});
afterAll(() => backend.stop());

function start(workers: number, backendUrl = backend.url): Promise<ServerProcess> {
  return startServer([
    ...["--port", "0", "--workers", String(workers), "--backend-url", backendUrl],
    ...["--hf-checkpoint", checkpointDirectory("qwen3"), "--use-rollout-routing-replay"],
  ]);
}

function answerWell(): void {
  backend.answer(async (connection) => {
    await connection.send(goodAnswer);
    connection.finish();
  });
}

describe.each([1, 2])("a backend in trouble, %d workers", (workers) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await start(workers);
  }, hangMs);
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
  });

  describe.each(backendTroubles.map((trouble) => [trouble.title, trouble] as const))(
    "%s",
    (_title, trouble) => {
      test.each(["the first turn", "a later turn", "a retry"])("in %s", async (which) => {
        const session = await Session.create(server.url);
        if (which !== "the first turn") {
          answerWell();
          expect((await session.chat("a")).status).toBe(200);
        }
        const before = await session.dump();
        backend.answer(trouble.answer);
        const reply = which === "a later turn" ? session.chatOn("b") : session.chat("a");
        const { status, text } = await reply;
        expect([status, text]).toEqual([trouble.status, expect.stringMatching(trouble.text)]);
        const after = await session.dump();
        if (trouble.stored) expect(after).not.toEqual(before);
        else expect(after).toEqual(before);
        // The session is usable: the same request again, now with a backend that is well.
        const count = await session.recordCount();
        answerWell();
        const again = which === "a later turn" ? session.chatOn("c") : session.chat("a");
        expect((await again).status).toBe(200);
        expect(await session.recordCount()).toBeGreaterThanOrEqual(count);
      });
    },
  );

  test("closes kept-alive connections at the moment of the next request: no chat fails", async () => {
    const session = await Session.create(server.url);
    for (let turn = 0; turn < 20; turn++) {
      // No "Connection: close" and no length of life: as uvicorn does it after its five seconds.
      answerWell();
      expect((await session.chat("a")).status).toBe(200);
    }
  });
});

test(
  "a failure is logged with session, phase and duration, and with what the operator can do",
  async () => {
    const server = await start(1);
    const session = await Session.create(server.url);
    backend.answer(async (connection) => {
      await connection.send('HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{"choices":[{}]');
      connection.finish();
    });
    backend.answer(async (connection) => {
      await connection.send('HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n{"choices":[{}]}');
      connection.finish();
    });
    for (let turn = 0; turn < 2; turn++) expect((await session.chat("a")).status).toBe(502);
    expect(await server.stop()).toBe(0);
    expect(server.log()).toMatch(
      new RegExp(
        `WARN {2}session-server: chat_completions failed session=${session.id} status=502 ` +
          'phase=receive durationMs=[\\d.]+ reason="invalid chat completion response',
      ),
    );
    expect(server.log()).toContain("must know return_meta_info and logprobs");
  },
  hangMs,
);

test.each([1, 2])(
  "a backend that is not there: 502 for chats and relayed paths, %d workers",
  async (workers) => {
    const server = await start(workers, refusingUrl);
    try {
      const session = await Session.create(server.url);
      for (const path of ["v1/chat/completions", "v1/models"]) {
        const reply = await session.send(
          "POST",
          path,
          '{"messages":[{"role":"user","content":""}]}',
        );
        expect(reply.status).toBe(502);
        expect(reply.text).toMatch(/^\{"error":"backend transport error: ECONNREFUSED/);
      }
      expect(await session.recordCount()).toBe(0);
    } finally {
      await server.stop();
    }
  },
  hangMs,
);

test("docs/guarantees.md lists these troubles and no others", () => {
  const rows = documentedTable("docs/guarantees.md", "the backend ...");
  expect(rows.map(([title, status]) => [title, status])).toEqual(
    backendTroubles.map(({ title, status }) => [title, String(status)]),
  );
});
