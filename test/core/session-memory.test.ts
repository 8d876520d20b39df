/**
 * What a session holds of requests and replies besides messages, tokens and records: copies of
 * its own. Measured in processes of their own, since other tests' garbage would count as well.
 */
import { expect, test } from "bun:test";
import { join } from "node:path";

/** MiB that 24 rounds of `round` leave in memory; `round` has `server`, `session` and `turn`. */
async function heldMebibytes(round: string): Promise<number> {
  const program = `
    import { heapStats } from "bun:jsc";
    import { FakeServer, qwen3Tokenizer } from "./test/core/fake-server.ts";
    import { configureLog } from "./src/log.ts";
    configureLog("test", "silent");
    const mebibyte = 1024 * 1024;
    const server = new FakeServer(await qwen3Tokenizer());
    const long = "x".repeat(mebibyte);
    const completion = (padding) => JSON.stringify({
      choices: [{
        message: { role: "assistant", content: "one" },
        finish_reason: "tool_calls",
        meta_info: { completion_tokens: 1, output_token_logprobs: [[-0.5, 7, padding]] },
      }],
    });
    const turn = async (kind, session, body, padding = "") => {
      const reply = server.ask(kind, session, body);
      (await server.upstream.next()).answer(200, completion(padding));
      const { status } = await reply;
      if (status !== 200) throw new Error("status " + status);
    };
    const chat = (session, body, padding) => turn("chat_completions", session, body, padding);
    const user = (content) => ({ role: "user", content });
    const tools = (name) => [{ type: "function", function: { name } }];
    const round = async (session) => {
      await server.create(session);
      ${round}
    };
    const held = async () => {
      // What was settled lately is let go of in the next rounds of the event loop.
      for (let index = 0; index < 3; index++) {
        await new Promise((resolve) => setTimeout(resolve));
        Bun.gc(true);
      }
      return heapStats().extraMemorySize / mebibyte;
    };
    await round("warm");
    const before = await held();
    for (let index = 0; index < 24; index++) await round("session-" + index);
    console.log((await held()) - before);`;
  const child = Bun.spawn([process.execPath, "-e", program], {
    cwd: join(import.meta.dir, "../.."),
    stdout: "pipe",
    stderr: "inherit",
  });
  const held = Number(await child.stdout.text());
  expect(await child.exited).toBe(0);
  return held;
}

test("a stored turn keeps nothing of its reply's text alive", async () => {
  const held = await heldMebibytes(`await chat(session, { messages: [user("a")] }, long);`);
  // Its record has two copies of the reply, which are meant to stay.
  expect(held).toBeLessThan(60);
});

test("tools that changed keep nothing of their request alive", async () => {
  const round = `
    const one = { role: "assistant", content: "one" };
    const first = { messages: [user("a")], tools: tools("first_tool") };
    await chat(session, first);
    const messages = [user("a"), one, user("b")];
    await chat(session, { messages, tools: tools("second_tool_of_it"), padding: long });
    await chat(session, { messages, tools: tools("first_tool") });`;
  const held = await heldMebibytes(round);
  expect(held).toBeLessThan(24);
});

test("the sentence of a rewrite keeps nothing of its request alive", async () => {
  const round = `
    const called = { name: "f", arguments: "{}" };
    const ask = (id, padding) => {
      const tool_calls = [{ id, type: "function", function: called, padding }];
      const assistant = { role: "assistant", content: "c", tool_calls };
      const tool = { role: "tool", tool_call_id: id, content: "d" };
      return chat(session, { messages: [user("a"), assistant, tool] });
    };
    await ask("one", "");
    await ask("two", long);`;
  const held = await heldMebibytes(round);
  // The message stands in the session and in the record, which are meant to stay.
  expect(held).toBeLessThan(91);
});

test("a streamed response that is over keeps nothing of its request alive", async () => {
  const round = `
    await turn("responses", session, {
      ...{ model: "a model of this name", input: "a", stream: true, padding: long },
    });`;
  const held = await heldMebibytes(round);
  expect(held).toBeLessThan(12);
});

test("nor does a response whose model still thinks, but for what a response repeats", async () => {
  const round = `
    void server.ask("responses", session, { input: "a", stream: true, padding: long });
    await server.upstream.next();`;
  const held = await heldMebibytes(round);
  expect(held).toBeLessThan(12);
});
