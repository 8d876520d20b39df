/**
 * GET /sessions and GET /sessions/{id}/summary over one process and over four workers.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SessionPage } from "../../src/session-list.ts";
import { type ServerProcess, startServer } from "../harness/server-process.ts";
import { hangMs } from "../harness/time-limit.ts";

const sessionCount = 25;

describe.each([1, 4])("%d workers", (workers) => {
  let server: ServerProcess;
  const ids: string[] = [];

  async function get<Body>(path: string): Promise<{ status: number; body: Body }> {
    const reply = await fetch(server.url + path);
    return { status: reply.status, body: (await reply.json()) as Body };
  }

  beforeAll(async () => {
    server = await startServer([
      "--port",
      "0",
      "--workers",
      String(workers),
      "--log-level",
      "error",
    ]);
    for (let count = 0; count < sessionCount; count++) {
      const reply = await fetch(`${server.url}/sessions`, { method: "POST" });
      ids.push(((await reply.json()) as { session_id: string }).session_id);
    }
    ids.sort();
  }, hangMs);

  afterAll(async () => {
    expect(await server.stop()).toBe(0);
  });

  test("pages lead through all sessions, wherever they are", async () => {
    const seen: string[] = [];
    const owners = new Set<number>();
    let after: string | null = null;
    do {
      const from: string = after === null ? "" : `&after=${after}`;
      const { body } = await get<SessionPage>(`/sessions?limit=7${from}`);
      expect(body.total).toBe(sessionCount);
      expect(body.sessions.length).toBeLessThanOrEqual(7);
      for (const entry of body.sessions) {
        seen.push(entry.session_id);
        owners.add(entry.worker);
      }
      after = body.next_after;
    } while (after !== null);
    expect(seen).toEqual(ids);
    expect(owners.size).toBe(workers);
  });

  test("a turn is seen in the list and in the summary", async () => {
    const [id = ""] = ids;
    const body = JSON.stringify({ messages: [{ role: "user", content: "a" }] });
    const path = `/sessions/${id}/v1/chat/completions`;
    expect((await fetch(server.url + path, { method: "POST", body })).status).toBe(200);
    const { body: page } = await get<SessionPage>("/sessions?limit=1");
    expect(page.sessions).toMatchObject([{ session_id: id, state: "idle", turns: 1 }]);
    const summary = await get<Record<string, unknown>>(`/sessions/${id}/summary`);
    expect(summary.status).toBe(200);
    expect(summary.body).toMatchObject({
      session_id: id,
      turns: [{ index: 0, protocol: "chat_completions", finish_reason: "stop" }],
    });
    expect(JSON.stringify(summary.body).length).toBeLessThan(1_000);
  });

  test("a session that is deleted is on no page", async () => {
    const id = ids.pop();
    await fetch(`${server.url}/sessions/${id}`, { method: "DELETE" });
    const { body } = await get<SessionPage>("/sessions");
    expect(body.sessions.map(({ session_id }) => session_id)).toEqual(ids);
    expect((await get(`/sessions/${id}/summary`)).status).toBe(404);
  });

  test("a page that makes no sense is refused", async () => {
    expect((await get("/sessions?limit=0")).status).toBe(400);
  });
});
