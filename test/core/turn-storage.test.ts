import { beforeAll, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { configureLog } from "../../src/log.ts";
import type { TitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { FakeServer, json, qwen3Tokenizer, text } from "./fake-server.ts";

let tito: TitoTokenizer;
let server: FakeServer;

beforeAll(async () => {
  tito = await qwen3Tokenizer();
});

beforeEach(async () => {
  configureLog("test", "silent");
  server = new FakeServer(tito);
  await server.create("s");
});

interface Summary {
  readonly turns: { id: string }[];
  readonly [member: string]: unknown;
}

async function summary(): Promise<Summary> {
  const operation = { kind: "get_session_summary", sessionId: "s" } as const;
  return (await json(await server.core.handle(operation, new Uint8Array(0)))) as Summary;
}

async function turn(messages: object[], content = "one", more: object = {}): Promise<number> {
  const reply = server.chat("s", { messages, ...more });
  (await server.upstream.next()).generate(content);
  return (await reply).status;
}

/** The lines at warn that `action` leaves in the log. */
async function warnings(action: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const lines: string[] = [];
  const write = spyOn(process.stderr, "write").mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
  configureLog("test", "warn", "json");
  try {
    await action();
  } finally {
    configureLog("test", "silent");
    write.mockRestore();
  }
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const system = { role: "system", content: "You are an agent." };
const hello = { role: "user", content: "hello" };
const one = { role: "assistant", content: "one" };
const next = { role: "user", content: "go on" };
const prompt = [system, hello];

describe("a turn that is taken back", () => {
  test("by a retry is counted and nothing to look at", async () => {
    await turn(prompt);
    expect(await warnings(() => turn(prompt, "two"))).toEqual([]);
    expect(await summary()).toMatchObject({ turns_taken_back: 1, turns_rewritten: 0 });
    expect(await warnings(() => turn([...prompt, { ...one, content: "two" }, next]))).toEqual([]);
    expect(await summary()).toMatchObject({ turns_taken_back: 1, last_rewrite: null });
  });

  test.each([
    [
      "another system prompt",
      [{ ...system, content: "You make titles." }, hello],
      'messages[0].content is "You make titles." where the session has "You are an agent."',
    ],
    [
      "a reply of the client's own",
      [...prompt, { ...one, content: "mine" }, next],
      'messages[2].content is "mine" where the session has "one"',
    ],
    ["a compacted history", [system], "the request ends before messages[1], which the session has"],
  ])("by %s is told, where it differs and how", async (_, messages, reason) => {
    await turn(prompt);
    const [taken] = (await summary()).turns;
    expect(await warnings(() => turn(messages))).toMatchObject([
      {
        level: "warn",
        message: "chat_completions took back a turn of which the request is no retry",
        ...{ session: "s", status: 200, turn: taken?.id, reason },
      },
    ]);
    expect(await summary()).toMatchObject({
      ...{ turns_taken_back: 1, turns_rewritten: 1, last_rewrite: reason },
      turns: [{ index: 0 }],
    });
  });

  test("is not, and not told, when its own reply never comes", async () => {
    await turn(prompt);
    const lines = await warnings(async () => {
      const reply = server.chat("s", { messages: [hello] });
      (await server.upstream.next()).answer(500, "no");
      await reply;
    });
    expect(lines.map(({ message }) => message)).toEqual(["chat_completions failed"]);
    expect(await summary()).toMatchObject({ turns_taken_back: 0, turns_rewritten: 0 });
  });

  test("by the later of two overlapping attempts is a retry", async () => {
    await turn(prompt);
    const other = [{ ...system, content: "other" }, hello];
    const replies = [server.chat("s", { messages: other }), server.chat("s", { messages: other })];
    const pending = [await server.upstream.next(), await server.upstream.next()];
    for (const [index, reply] of replies.entries()) {
      pending[index]?.generate(`${index}`);
      expect((await reply).status).toBe(200);
    }
    expect(await summary()).toMatchObject({ turns_taken_back: 2, turns_rewritten: 1 });
  });
});

test("a turn that is answered but not stored is counted", async () => {
  const replies = [hello, next].map((message) => server.chat("s", { messages: [message] }));
  for (const reply of replies) {
    (await server.upstream.next()).generate("one");
    expect((await reply).status).toBe(200);
  }
  expect(await summary()).toMatchObject({ turns_not_stored: 1, turns: [{ index: 0 }] });
  const list = { kind: "list_sessions", limit: 1, after: null } as const;
  expect(await json(await server.core.handle(list, new Uint8Array(0)))).toMatchObject({
    sessions: [{ turns: 1, turns_not_stored: 1, turns_taken_back: 0 }],
  });
});

test.each(["chat_completions", "messages", "responses"] as const)(
  "an error of the backend is quoted in the log: %s",
  async (kind) => {
    const body = { messages: [hello], max_tokens: 1, input: "hello" };
    const lines = await warnings(async () => {
      const reply = server.ask(kind, "s", body);
      (await server.upstream.next()).answer(404, "<html>\nNot Found</html>");
      expect(await text(await reply)).toContain("Not Found</html>");
    });
    expect(lines).toMatchObject([
      { ...{ status: 404, phase: "ask" }, reason: "<html>\nNot Found</html>" },
    ]);
  },
);

describe('history_rewrites "refuse"', () => {
  test("answers 400 and leaves the session as it was; a retry is taken", async () => {
    await server.create("r", { history_rewrites: "refuse" });
    const ask = (messages: object[]) => server.chat("r", { messages });
    const first = ask(prompt);
    (await server.upstream.next()).generate("one");
    await first;
    const before = await server.dump("r");
    const refused = await ask([hello]);
    expect([refused.status, await json(refused)]).toEqual([
      400,
      {
        error:
          "the request rewrites the history, which this session refuses: " +
          'messages[0].role is "user" where the session has "system"',
      },
    ]);
    expect(await server.dump("r")).toEqual(before);
    const retry = ask(prompt);
    (await server.upstream.next()).generate("two");
    expect((await retry).status).toBe(200);
  });
});

describe("tools that change", () => {
  const tools = (...names: string[]) => ({
    tools: names.map((name) => ({ type: "function", function: { name } })),
  });

  test("are told once a session, and are in the summary", async () => {
    await turn(prompt, "one", tools("a", "b"));
    const [again, changed, more] = [
      await warnings(() => turn([...prompt, one, next], "one", tools("b", "a"))),
      await warnings(() => turn([...prompt, one, next, one, next], "one", tools("b", "c"))),
      await warnings(() => turn([...prompt, one, next, one, next, one, next], "one", tools("d"))),
    ];
    expect(again).toEqual([]);
    expect(changed).toMatchObject([
      {
        message: "chat_completions has other tools than the prompt of its session",
        tools: "added c; removed a",
      },
    ]);
    expect(more).toEqual([]);
    expect(await summary()).toMatchObject({
      tools_change: { added: ["d"], removed: ["a", "b"], changed: [] },
    });
  });

  test("with a first turn that is taken back are those of the prompt", async () => {
    await turn(prompt, "one", tools("a"));
    expect(await warnings(() => turn(prompt, "one", tools("b")))).toEqual([]);
    expect(await summary()).toMatchObject({ tools_change: null });
  });
});
