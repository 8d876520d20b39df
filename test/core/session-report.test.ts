import { beforeAll, describe, expect, test } from "bun:test";
import { configureLog } from "../../src/log.ts";
import type { SessionPage } from "../../src/session-list.ts";
import type { TitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { FakeServer, json, qwen3Tokenizer, text } from "./fake-server.ts";

configureLog("test", "silent");

let tito: TitoTokenizer;

beforeAll(async () => {
  tito = await qwen3Tokenizer();
});

const noBody = new Uint8Array(0);

async function list(server: FakeServer, limit: number, after: string | null) {
  const reply = await server.core.handle({ kind: "list_sessions", limit, after }, noBody);
  return (await json(reply)) as SessionPage;
}

async function summary(server: FakeServer, sessionId: string) {
  return server.core.handle({ kind: "get_session_summary", sessionId }, noBody);
}

const ask = { messages: [{ role: "user", content: "a" }] };

describe("sessionPage()", () => {
  test("pages through all sessions in the order of their ids", async () => {
    const server = new FakeServer(tito);
    for (const id of ["c", "a", "e", "b", "d"]) await server.create(id);
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page: SessionPage = await list(server, 2, after);
      expect(page.total).toBe(5);
      seen.push(...page.sessions.map(({ session_id }) => session_id));
      after = page.next_after;
    } while (after !== null);
    expect(seen).toEqual(["a", "b", "c", "d", "e"]);
    expect((await list(server, 5, null)).next_after).toBeNull();
    expect((await list(server, 5, "e")).sessions).toEqual([]);
  });

  test("tells what a session holds and does", async () => {
    const server = new FakeServer(tito);
    await server.create("s");
    const reply = server.chat("s", ask);
    const pending = await server.upstream.next();
    expect((await list(server, 1, null)).sessions).toMatchObject([
      { session_id: "s", worker: 0, state: "in_turn", turns: 0, tokens: 0, bytes: 0 },
    ]);
    pending.generate("one");
    await reply;
    const prompt = pending.body["input_ids"] as number[];
    const [entry] = (await list(server, 1, null)).sessions;
    expect(entry).toMatchObject({ state: "idle", turns: 1, tokens: prompt.length + 1 });
    expect(entry?.bytes).toBeGreaterThan(0);
    expect(entry?.age_seconds).toBeGreaterThanOrEqual(0);
    expect(Math.abs((entry?.created_at ?? 0) * 1000 - Date.now())).toBeLessThan(60_000);
  });
});

describe("sessionSummary()", () => {
  test("tells of each turn, and of the settings, losslessly", async () => {
    const server = new FakeServer(tito);
    await server.create("s", { max_total_tokens: 1000, metadata: { a: 1 } });
    for (const [kind, body] of [
      ["chat_completions", ask],
      ["messages", { ...ask, max_tokens: 5 }],
    ] as const) {
      const reply = server.ask(kind, "s", body);
      (await server.upstream.next()).generate("one");
      expect((await reply).status).toBe(200);
    }
    const found = (await json(await summary(server, "s"))) as Record<string, unknown>;
    // The second request took the first turn back.
    expect(found).toMatchObject({
      session_id: "s",
      state: "idle",
      max_total_tokens: 1000,
      is_full: false,
      turns_taken_back: 1,
      turns_rewritten: 0,
      last_rewrite: null,
      history_rewrites: "roll_back",
      tools_change: null,
      metadata: { a: 1 },
      turns: [{ index: 0, protocol: "messages", completion_tokens: 1, finish_reason: null }],
    });
    const [turn] = found["turns"] as Record<string, number>[];
    expect(turn?.["prompt_tokens"]).toBeGreaterThan(1);
    expect(turn?.["duration_seconds"]).toBeGreaterThanOrEqual(0);
    expect(await text(await summary(server, "s"))).not.toContain("output_token_logprobs");
  });

  test("is 404 for a session that is not there", async () => {
    expect((await summary(new FakeServer(tito), "x")).status).toBe(404);
  });
});
