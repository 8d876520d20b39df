import { beforeAll, describe, expect, test } from "bun:test";
import { configureLog } from "../../src/log.ts";
import type { TitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { FakeServer, json, qwen3Tokenizer, text } from "./fake-server.ts";

configureLog("test", "silent");

let tito: TitoTokenizer;

beforeAll(async () => {
  tito = await qwen3Tokenizer();
});

const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });

/** A server with the session "s". */
async function serverWith(settings: object): Promise<FakeServer> {
  const server = new FakeServer(tito);
  expect((await server.create("s", settings)).status).toBe(200);
  return server;
}

/** The body that the backend gets for a request. */
async function sentBody(server: FakeServer, body: object): Promise<Record<string, unknown>> {
  const reply = server.chat("s", body);
  const pending = await server.upstream.next();
  pending.generate("one");
  expect((await reply).status).toBe(200);
  return pending.body;
}

describe("the settings of a session", () => {
  test("set what its turns are sampled with", async () => {
    const server = await serverWith({
      pinned_sampling_params: { temperature: 1, max_tokens: 64 },
      default_sampling_params: { top_p: 0.5, top_k: 20 },
    });
    const sent = await sentBody(server, {
      messages: [user("a")],
      temperature: 0,
      max_completion_tokens: 4096,
      top_p: 0.9,
    });
    expect(sent).toMatchObject({ temperature: 1, max_tokens: 64, top_p: 0.9, top_k: 20 });
    expect(sent).not.toHaveProperty("max_completion_tokens");
  });

  test("set the variables of its chat template, which a request may not contradict", async () => {
    const server = await serverWith({ chat_template_kwargs: { enable_thinking: false } });
    const sent = await sentBody(server, {
      messages: [user("a")],
      chat_template_kwargs: { enable_thinking: false, other: 1 },
    });
    expect(sent["chat_template_kwargs"]).toMatchObject({ enable_thinking: false, other: 1 });
    const without = tito.withRequestKwargs(new Map([["enable_thinking", false]]));
    const messages = [
      new Map([
        ["role", "user"],
        ["content", "a"],
      ] as const),
    ];
    const rendered = await without.renderPrompt(messages, null, { addGenerationPrompt: true });
    expect(sent["input_ids"]).toEqual(rendered);
    const refused = await server.chat("s", {
      messages: [user("a")],
      chat_template_kwargs: { enable_thinking: true },
    });
    expect(refused.status).toBe(400);
    expect(await text(refused)).toContain(
      "chat_template_kwargs.enable_thinking is false for this session, got true",
    );
  });

  test("are refused where the family cannot be rendered with them", async () => {
    const server = new FakeServer(tito);
    const refused = await server.create("s", { chat_template_kwargs: { clear_thinking: true } });
    expect(refused.status).toBe(400);
    expect((await server.create("s", { chat_template_kwargs: {} })).status).toBe(200);
  });

  test("give their metadata back with the records", async () => {
    const metadata = { group: 7, name: "é" };
    const server = await serverWith({ metadata });
    expect((await server.dump("s")).metadata.session_metadata).toEqual(metadata);
    const plain = await serverWith({});
    expect((await plain.dump("s")).metadata).not.toHaveProperty("session_metadata");
  });
});

describe("max_total_tokens", () => {
  const messages = [user("a")];
  /** Tokens of the prompt of `messages`. */
  let promptTokens: number;

  beforeAll(async () => {
    const sent = await sentBody(await serverWith({}), { messages });
    promptTokens = (sent["input_ids"] as number[]).length;
  });

  test("limits the completion to what is left", async () => {
    const server = await serverWith({ max_total_tokens: promptTokens + 5 });
    expect((await sentBody(server, { messages }))["max_tokens"]).toBe(5);
  });

  test("answers a turn without room by length, and asks no backend", async () => {
    const server = await serverWith({ max_total_tokens: promptTokens });
    const reply = await server.chat("s", { messages, model: "m" });
    expect(reply.status).toBe(200);
    expect(await json(reply)).toMatchObject({
      object: "chat.completion",
      model: "m",
      choices: [{ message: { role: "assistant", content: "" }, finish_reason: "length" }],
      usage: { prompt_tokens: promptTokens, completion_tokens: 0 },
    });
    const streamed = await server.chat("s", { messages, stream: true });
    expect(await text(streamed)).toContain('"finish_reason":"length"');
    expect(server.upstream.unanswered).toBe(0);
    expect((await server.dump("s")).records).toEqual([]);
  });

  test("still refuses what cannot be taken, once it is full", async () => {
    const server = await serverWith({ max_total_tokens: promptTokens + 1 });
    await sentBody(server, { messages });
    const second = [...messages, assistant("one"), user("b")];
    expect((await server.chat("s", { messages: second })).status).toBe(200);
    const goesOn = [...second, assistant(""), user("go on")];
    for (const wrong of [
      { messages: goesOn, tools: "all" },
      { messages: [...goesOn, user("\ud800")] },
      { messages: [...second, { role: "narrator", content: "x" }] },
    ]) {
      expect((await server.chat("s", wrong)).status).toBe(400);
    }
    expect((await server.chat("s", { messages: goesOn })).status).toBe(200);
  });

  test("answers an agent that goes on after that in the same way", async () => {
    const server = await serverWith({ max_total_tokens: promptTokens + 1 });
    await sentBody(server, { messages });
    const second = [...messages, assistant("one"), user("b")];
    expect((await server.chat("s", { messages: second })).status).toBe(200);
    const third = [...second, assistant(""), user("go on")];
    const reply = await server.chat("s", { messages: third });
    expect(await json(reply)).toMatchObject({ choices: [{ finish_reason: "length" }] });
    expect((await server.dump("s")).records).toHaveLength(1);
    // Back to where there is room: a retry of the first turn.
    await sentBody(server, { messages });
  });
});

describe("what clients write differently", () => {
  test("text parts and a developer are one with a string and a system message", async () => {
    const plain = await sentBody(await serverWith({}), {
      messages: [{ role: "system", content: "be brief" }, user("a b")],
    });
    const written = await sentBody(await serverWith({}), {
      messages: [
        { role: "developer", content: "be brief" },
        user([
          { type: "text", text: "a" },
          { type: "text", text: " b" },
        ]),
      ],
    });
    expect(written["input_ids"]).toEqual(plain["input_ids"]);
  });

  test("a reply that comes back as a text part is the stored one", async () => {
    const server = await serverWith({});
    await sentBody(server, { messages: [user("a")] });
    const parts = [{ type: "text", text: "one" }];
    await sentBody(server, { messages: [user("a"), assistant(parts), user("b")] });
    expect((await server.dump("s")).records).toHaveLength(2);
  });

  test.each([
    [{ n: 2 }, "n must be 1, got 2"],
    [{ functions: [{ name: "f" }] }, "send them as tools"],
    [
      { messages: [user([{ type: "image_url", image_url: { url: "data:" } }])] },
      "sessions are made of text",
    ],
  ])("%j is refused with a sentence", async (body, sentence) => {
    const server = await serverWith({});
    const reply = await server.chat("s", { messages: [user("a")], ...body });
    expect(reply.status).toBe(400);
    expect(await text(reply)).toContain(sentence);
  });

  test("what constrains the sampling goes up as it is", async () => {
    const body = {
      response_format: { type: "json_object" },
      tool_choice: "required",
      parallel_tool_calls: false,
      top_logprobs: 2,
      n: 1,
    };
    expect(await sentBody(await serverWith({}), { messages: [user("a")], ...body })).toMatchObject(
      body,
    );
  });
});

describe("system messages where the family takes one", () => {
  const said = (content: string) => ({ role: "system", content });

  test("are placed alike in every turn of a translated protocol, and left alone in chat", async () => {
    const server = new FakeServer(tito, { systemAnywhere: false });
    await server.create("s");
    const messages: object[] = [user("a"), said("mind the gap")];
    const prompts: string[] = [];
    for (const text of ["one", "two", "three"]) {
      const body = { model: "m", max_tokens: 9, system: "be brief", messages };
      const reply = server.ask("messages", "s", body);
      const pending = await server.upstream.next();
      pending.generate(text);
      expect((await reply).status).toBe(200);
      prompts.push((pending.body["input_ids"] as number[]).join(","));
      messages.push(assistant(text), user("b"), said("and the step"));
    }
    expect((await server.dump("s")).records).toHaveLength(3);
    expect(prompts[1]?.startsWith(`${prompts[0]},`)).toBe(true);
    expect(prompts[2]?.startsWith(`${prompts[1]},`)).toBe(true);

    await server.create("chat");
    const chat = { messages: [said("be brief"), user("a"), user("mind the gap")] };
    const reply = server.chat("chat", chat);
    const pending = await server.upstream.next();
    pending.generate("one");
    await reply;
    expect((pending.body["input_ids"] as number[]).join(",")).toBe(prompts[0] ?? "");
  });
});

describe("a request that is sent again", () => {
  test("is sampled once, stored once, and answered alike", async () => {
    const server = await serverWith({});
    const body = { messages: [user("a")] };
    const original = server.chat("s", body, [["x-stainless-retry-count", "0"]]);
    const pending = await server.upstream.next();
    const repeated = server.chat("s", body, [["x-stainless-retry-count", "1"]]);
    pending.generate("one");
    expect(await text(await original)).toBe(await text(await repeated));
    const late = await server.chat("s", body, [["x-stainless-retry-count", "2"]]);
    expect(late.headers).toContainEqual(["idempotent-replayed", "true"]);
    expect(server.upstream.unanswered).toBe(0);
    expect((await server.dump("s")).records).toHaveLength(1);
  });

  test("without a mark is a new attempt that replaces the turn", async () => {
    const server = await serverWith({});
    const first = await sentBody(server, { messages: [user("a")] });
    const second = await sentBody(server, { messages: [user("a")] });
    expect(second["input_ids"]).toEqual(first["input_ids"]);
    expect((await server.dump("s")).records).toHaveLength(1);
  });

  test("without a mark, while the first attempt runs: the client's reply is the one that stays", async () => {
    const server = await serverWith({});
    await sentBody(server, { messages: [user("a")] });
    const second = { messages: [user("a"), assistant("one"), user("b")] };
    const lost = server.chat("s", second);
    const first = await server.upstream.next();
    const seen = server.chat("s", second);
    const later = await server.upstream.next();
    first.generate("lost");
    await lost;
    later.generate("seen", { token: 8 });
    expect(await text(await seen)).toContain("seen");
    const third = [...second.messages, assistant("seen"), user("c")];
    await sentBody(server, { messages: third });
    const { records, metadata } = await server.dump("s");
    expect(records).toHaveLength(3);
    expect(JSON.stringify(records)).not.toContain("lost");
    expect(records[2]?.request.input_ids).toContain(8);
    expect(metadata.accumulated_token_ids.length).toBeGreaterThan(0);
  });

  test("without a mark, an older attempt does not replace a newer one", async () => {
    const server = await serverWith({});
    const body = { messages: [user("a")] };
    const slow = server.chat("s", body);
    const first = await server.upstream.next();
    const fast = server.chat("s", body);
    (await server.upstream.next()).generate("fast");
    await fast;
    first.generate("slow");
    await slow;
    expect(JSON.stringify((await server.dump("s")).records)).not.toContain("slow");
  });

  test("another request that overlaps is answered and not stored", async () => {
    const server = await serverWith({});
    const one = server.chat("s", { messages: [user("a")] });
    const first = await server.upstream.next();
    const two = server.chat("s", { messages: [user("b")] });
    const second = await server.upstream.next();
    first.generate("stored");
    await one;
    second.generate("answered");
    expect((await two).status).toBe(200);
    expect(JSON.stringify((await server.dump("s")).records)).not.toContain("answered");
  });

  test("a key that named another request is refused", async () => {
    const server = await serverWith({});
    const key: [string, string][] = [["idempotency-key", "k"]];
    const reply = server.chat("s", { messages: [user("a")] }, key);
    (await server.upstream.next()).generate("one");
    await reply;
    const other = await server.chat("s", { messages: [user("b")] }, key);
    expect(other.status).toBe(400);
  });
});
