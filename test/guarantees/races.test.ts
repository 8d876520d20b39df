/**
 * Requests of one session that meet: each order made to happen by a backend that waits for the
 * test, over HTTP, on one worker and on several.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chatReply } from "../conformance/session-api.cases.ts";
import { checkpointDirectory } from "../fixtures/checkpoints.ts";
import { type ScriptedBackend, startScriptedBackend } from "../harness/scripted-backend.ts";
import { type ServerProcess, startServer } from "../harness/server-process.ts";
import { hangMs } from "../harness/time-limit.ts";
import { Session } from "./session.ts";

let backend: ScriptedBackend;
beforeAll(() => {
  backend = startScriptedBackend();
});
afterAll(() => backend.stop());

/** The next request of a session is held until the test lets it go. */
function hold(session: Session, content: string) {
  const arrived = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  backend.reply(session.id, async () => {
    arrived.resolve();
    await gate.promise;
    return chatReply(content);
  });
  return { arrived: arrived.promise, answer: () => gate.resolve() };
}

function remove(session: Session): Promise<number> {
  return fetch(session.url, { method: "DELETE" }).then(({ status }) => status);
}

/** Texts of the stored replies, in order. */
async function stored(session: Session): Promise<string[]> {
  const { records } = (await session.dump()) as unknown as {
    records: { response: { choices: { message: { content: string } }[] } }[];
  };
  return records.map(({ response }) => response.choices[0]?.message.content ?? "");
}

describe.each([1, 3])("races of one session, %d workers", (workers) => {
  let server: ServerProcess;
  let session: Session;

  beforeAll(async () => {
    server = await startServer([
      ...["--port", "0", "--workers", String(workers), "--backend-url", backend.url],
      ...["--hf-checkpoint", checkpointDirectory("qwen3")],
    ]);
  }, hangMs);
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
    expect(server.log()).not.toContain(" ERROR ");
  });

  async function begin(): Promise<void> {
    session = await Session.create(server.url);
  }

  test("delete before the chat: 404, and the backend is not asked", async () => {
    await begin();
    expect(await remove(session)).toBe(204);
    expect((await session.chat("a")).status).toBe(404);
    expect(backend.requests(session.id)).toEqual([]);
  });

  test("delete while the backend thinks: both are answered, nothing comes back", async () => {
    await begin();
    const held = hold(session, "late");
    const chat = session.chat("a");
    await held.arrived;
    expect(await remove(session)).toBe(204);
    expect((await fetch(session.url)).status).toBe(404);
    held.answer();
    const { status, text } = await chat;
    expect([status, text]).toEqual([200, expect.stringContaining("late")]);
    expect((await fetch(session.url)).status).toBe(404);
    expect((await session.chat("a")).status).toBe(404);
  });

  test("delete after the chat: gone, and the chats that follow are 404", async () => {
    await begin();
    backend.reply(session.id, chatReply("one"));
    expect((await session.chat("a")).status).toBe(200);
    expect(await remove(session)).toBe(204);
    expect((await session.chatOn("b")).status).toBe(404);
  });

  test("delete while records are read: the reader gets all of them", async () => {
    await begin();
    const payload = "A".repeat(30_000_000);
    backend.reply(session.id, chatReply("one", { routedExperts: payload }));
    expect((await session.chat("a")).status).toBe(200);
    const dump = await fetch(session.url);
    expect(await remove(session)).toBe(204);
    expect(await dump.text()).toContain(payload);
    expect((await fetch(session.url)).status).toBe(404);
  });

  test("delete twice at once: one is 204, the other 404", async () => {
    await begin();
    const statuses = await Promise.all([remove(session), remove(session)]);
    expect(statuses.sort()).toEqual([204, 404]);
  });

  test.each(["first", "second"])(
    "the same chat twice at once, the %s answered first: both get their reply, the later is stored",
    async (which) => {
      await begin();
      const held = [hold(session, "first"), hold(session, "second")];
      const chats = [session.chat("a")];
      await held[0]?.arrived;
      chats.push(session.chat("a"));
      await held[1]?.arrived;
      const order = which === "first" ? [0, 1] : [1, 0];
      for (const index of order) {
        held[index]?.answer();
        expect((await chats[index])?.text).toContain(index === 0 ? "first" : "second");
      }
      // A client that gave up on the first attempt goes on with the reply to its next.
      expect(await stored(session)).toEqual(["second"]);
    },
  );

  test("a retry while the first attempt runs: the client that left counts for nothing twice", async () => {
    await begin();
    const held = hold(session, "first attempt");
    const leaving = new AbortController();
    const first = fetch(`${session.url}/v1/chat/completions`, {
      method: "POST",
      signal: leaving.signal,
      body: '{"messages":[{"role":"user","content":"a"}]}',
    });
    first.catch(() => {});
    await held.arrived;
    leaving.abort();
    backend.reply(session.id, chatReply("fine"));
    expect((await session.chat("a")).status).toBe(200);
    held.answer();
    // The next turn follows on the retry, whatever became of the first attempt.
    backend.reply(session.id, chatReply("next"));
    expect((await session.chatOn("b")).status).toBe(200);
    expect(await stored(session)).toEqual(["fine", "next"]);
  });

  test("a client that leaves while the backend thinks: its turn is stored all the same", async () => {
    await begin();
    const held = hold(session, "fine");
    const leaving = new AbortController();
    const chat = fetch(`${session.url}/v1/chat/completions`, {
      method: "POST",
      signal: leaving.signal,
      body: '{"messages":[{"role":"user","content":"a"}]}',
    });
    chat.catch(() => {});
    await held.arrived;
    leaving.abort();
    held.answer();
    // A retry of the same request replaces it; a client that saw the reply would go on.
    while ((await session.recordCount()) === 0);
    expect(await stored(session)).toEqual(["fine"]);
    backend.reply(session.id, chatReply("again"));
    expect((await session.chat("a")).status).toBe(200);
    expect(await stored(session)).toEqual(["again"]);
  });

  test("a client that leaves in the middle of its request: nothing was asked or stored", async () => {
    await begin();
    const { hostname, port, pathname } = new URL(session.url);
    const left = Promise.withResolvers<void>();
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: { data() {}, close: () => left.resolve() },
    });
    socket.write(
      `POST ${pathname}/v1/chat/completions HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{"mess`,
    );
    socket.terminate();
    await left.promise;
    backend.reply(session.id, chatReply("fine"));
    expect((await session.chat("a")).status).toBe(200);
    expect(backend.requests(session.id)).toHaveLength(1);
    expect(await stored(session)).toEqual(["fine"]);
  });

  test("a client that leaves in the middle of its records: the session is as it was", async () => {
    await begin();
    const routedExperts = "A".repeat(30_000_000);
    backend.reply(session.id, chatReply("fine", { routedExperts }));
    expect((await session.chat("a")).status).toBe(200);
    for (let round = 0; round < 5; round++) {
      const leaving = new AbortController();
      const dump = await fetch(session.url, { signal: leaving.signal });
      await dump.body?.getReader().read();
      leaving.abort();
    }
    expect(await stored(session)).toEqual(["fine"]);
    expect(await remove(session)).toBe(204);
  });

  test("a turn in flight, when a retry takes its base away: answered, not stored", async () => {
    await begin();
    backend.reply(session.id, chatReply("fine"));
    expect((await session.chat("a")).status).toBe(200);
    const held = hold(session, "stale");
    const stale = session.chatOn("b");
    await held.arrived;
    backend.reply(session.id, chatReply("other"));
    expect((await session.chat("a")).status).toBe(200);
    held.answer();
    expect((await stale).text).toContain("stale");
    expect(await stored(session)).toEqual(["other"]);
  });

  test("a rollback that is planned, when the turn it would take back is followed", async () => {
    await begin();
    backend.reply(session.id, chatReply("fine"));
    expect((await session.chat("a")).status).toBe(200);
    const held = hold(session, "retry");
    const retry = session.chat("a");
    await held.arrived;
    backend.reply(session.id, chatReply("next"));
    expect((await session.chatOn("b")).status).toBe(200);
    held.answer();
    expect((await retry).text).toContain("retry");
    expect(await stored(session)).toEqual(["fine", "next"]);
  });

  test("sessions do not meet: a hundred at once keep what is theirs", async () => {
    const sessions = await Promise.all(
      Array.from({ length: 100 }, () => Session.create(server.url)),
    );
    for (const one of sessions) backend.reply(one.id, chatReply(`for ${one.id}`));
    const replies = await Promise.all(sessions.map((one) => one.chat(one.id)));
    for (const [index, one] of sessions.entries()) {
      expect(replies[index]?.text).toContain(`for ${one.id}`);
      expect(await stored(one)).toEqual([`for ${one.id}`]);
    }
  });
});
