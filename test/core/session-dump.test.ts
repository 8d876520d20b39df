import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { MismatchReports } from "../../src/core/mismatch-reports.ts";
import { sessionDump } from "../../src/core/session-dump.ts";
import { configureLog } from "../../src/log.ts";
import type { TitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { Session } from "../../src/trajectory/session.ts";
import { parseSessionSettings } from "../../src/trajectory/session-settings.ts";
import { store, turn } from "../records/turns.ts";
import { FakeServer, json, qwen3Tokenizer, text } from "./fake-server.ts";

configureLog("test", "silent");

let tito: TitoTokenizer;
let server: FakeServer;

beforeAll(async () => {
  tito = await qwen3Tokenizer();
});

beforeEach(async () => {
  server = new FakeServer(tito);
  await server.create("s", { metadata: { group: 7 } });
});

const noBody = new Uint8Array(0);
const user = (content: string) => ({ role: "user", content });

async function storeTurn(messages: object[], content: string, token = 7): Promise<void> {
  const reply = server.chat("s", { messages });
  (await server.upstream.next()).generate(content, { token });
  expect((await reply).status).toBe(200);
}

describe("sessionDump()", () => {
  test("says what a trainer needs to know of the ids", async () => {
    await storeTurn([user("a")], "one");
    const { metadata, records } = await server.dump("s");
    expect(Object.keys(metadata)).toEqual([
      "tito_session_mismatch",
      "accumulated_token_ids",
      "max_trim_tokens",
      "session_metadata",
    ]);
    expect(metadata.accumulated_token_ids).toEqual([...(records[0]?.request.input_ids ?? []), 7]);
    expect(metadata.session_metadata).toEqual({ group: 7 });
  });

  test("lets others have their turn while a long session is compared", async () => {
    await storeTurn([user("word\n".repeat(200_000))], "one");
    const order: string[] = [];
    const dump = server.core.handle({ kind: "get_session", sessionId: "s" }, noBody);
    const dumped = dump.then(() => order.push("dump"));
    // Each health check begins when the one before is answered, as by a prober.
    for (let count = 0; count < 20; count += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      await server.core.handle({ kind: "health" }, noBody);
      order.push("health");
    }
    await dumped;
    expect(order.indexOf("dump")).toBe(20);
  });

  test("is of the moment when it was asked for, whatever is stored meanwhile", async () => {
    const first = user("word\n".repeat(50_000));
    await storeTurn([first], "one");
    const ids = (await server.dump("s")).metadata.accumulated_token_ids;
    const retried = server.core.handle({ kind: "get_session", sessionId: "s" }, noBody);
    await storeTurn([first], "two", 8);
    expect(await json(await retried)).toMatchObject({
      records: [{ response: { choices: [{ message: { content: "one" } }] } }],
      metadata: { accumulated_token_ids: ids },
    });

    await storeTurn([user("another")], "three");
    const asked = server.core.handle({ kind: "get_session", sessionId: "s" }, noBody);
    await storeTurn([user("another"), { role: "assistant", content: "three" }, first], "four");
    const dump = await text(await asked);
    expect(dump).toContain("three");
    expect(dump).not.toContain("four");
    expect((await server.dump("s")).records).toHaveLength(2);
  });

  test("lets go of the records when its report fails", async () => {
    const failing: TitoTokenizer = {
      allowedAppendRoles: tito.allowedAppendRoles,
      maxTrimTokens: tito.maxTrimTokens,
      chatTemplateKwargs: tito.chatTemplateKwargs,
      withRequestKwargs: () => failing,
      renderPrompt: (...parameters) => tito.renderPrompt(...parameters),
      appendTokens: (...parameters) => tito.appendTokens(...parameters),
      compare: () => Promise.reject(new TypeError("a bug")),
    };
    const session = new Session("s", parseSessionSettings(noBody), 0);
    store(session.records, turn({ routed_experts: ['"AAAA"'] }));
    const request = [new Map(Object.entries(user("a")))];
    session.trajectory.commit(
      session.trajectory.plan(request, () => true, new Set()),
      {
        dropLast: 0,
        tokens: [1, 2, 3],
        assistantMessage: new Map(Object.entries({ role: "assistant", content: "one" })),
        tools: { text: "", value: null },
        messagesText: "[]",
        matchedSegments: 0,
      },
    );
    const reports = new MismatchReports(failing);
    await expect(sessionDump(session, reports, 0)).rejects.toThrow("a bug");
    session.records.free();
    expect(session.records.retainedBytes).toBe(0);
  });
});
