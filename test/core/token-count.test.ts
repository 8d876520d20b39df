import { beforeAll, describe, expect, test } from "bun:test";
import { configureLog } from "../../src/log.ts";
import type { Reply } from "../../src/operation.ts";
import type { TitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { FakeServer, json, qwen3Tokenizer, text } from "./fake-server.ts";

configureLog("test", "silent");

let tito: TitoTokenizer;
let server: FakeServer;

beforeAll(async () => {
  tito = await qwen3Tokenizer();
});

const user = (content: string) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });

function count(body: object): Promise<Reply> {
  const operation = { kind: "count_tokens", sessionId: "s" } as const;
  return server.core.handle(operation, Buffer.from(JSON.stringify(body)));
}

/** The ids that the backend gets for a turn with these messages. */
async function promptIds(messages: object[]): Promise<number[]> {
  const reply = server.ask("messages", "s", { model: "m", max_tokens: 9, messages });
  const pending = await server.upstream.next();
  pending.generate("one");
  expect((await reply).status).toBe(200);
  return pending.body["input_ids"] as number[];
}

describe("countPromptTokens()", () => {
  beforeAll(async () => {
    server = new FakeServer(tito);
    await server.create("s");
  });

  test("is the length of the prompt that a turn then has", async () => {
    const messages: object[] = [];
    for (const content of ["a", "b", "c"]) {
      messages.push(user(content));
      const counted = await json(await count({ messages }));
      const ids = await promptIds(messages);
      expect(counted).toEqual({ input_tokens: ids.length });
      messages.push(assistant("one"));
    }
    expect((await server.dump("s")).records).toHaveLength(3);
  });

  test("counts another conversation as a new one", async () => {
    const counted = await json(await count({ messages: [user("something else")] }));
    const fresh = new FakeServer(tito);
    await fresh.create("t");
    const reply = fresh.chat("t", { messages: [user("something else")] });
    const pending = await fresh.upstream.next();
    pending.generate("one");
    await reply;
    expect(counted).toEqual({ input_tokens: (pending.body["input_ids"] as number[]).length });
  });

  test("answers errors as the protocol has them", async () => {
    const wrong = await count({ messages: "a" });
    expect(wrong.status).toBe(400);
    expect(await text(wrong)).toContain('"type":"invalid_request_error"');
    const operation = { kind: "count_tokens", sessionId: "nobody" } as const;
    const gone = await server.core.handle(operation, Buffer.from("{}"));
    expect([gone.status, await text(gone)]).toEqual([
      404,
      '{"type":"error","error":{"type":"not_found_error",' +
        '"message":"session not found: session_id=nobody"}}',
    ]);
  });
});
