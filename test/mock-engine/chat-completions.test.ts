import { expect, test } from "bun:test";
import { ChatCompletions } from "../../src/mock-engine/chat-completions.ts";
import type { EngineCheckpoint } from "../../src/mock-engine/engine-checkpoint.ts";
import { type MockEngineOptions, settle } from "../../src/mock-engine/options.ts";
import { ReplayPayloads } from "../../src/mock-engine/replay-payload.ts";
import type { ChatTurn } from "../../src/mock-engine/script.ts";

/** One token a character; a prompt without input_ids is always three tokens. */
const checkpoint: EngineCheckpoint = {
  tokenizer: {
    encode: (text) => [...text].map((character) => character.codePointAt(0) ?? 0),
    decode: (ids) => String.fromCodePoint(...ids),
    tokenId: () => undefined,
  },
  stopToken: 0,
  encodePrompt: async () => [7, 7, 7],
};

const body = { messages: [{ role: "user", content: "a" }], return_meta_info: true };

async function answer(options: MockEngineOptions, members: object = {}, routingKey = "") {
  const endpoint = new ChatCompletions(settle(options), checkpoint, new ReplayPayloads());
  const text = JSON.stringify({ ...body, ...members });
  const { body: slices, ...rest } = await endpoint.answer(text, routingKey, null);
  return { ...rest, text: Buffer.concat(slices).toString() };
}

test("answer() tells the reply source what the conversation is", async () => {
  const turns: ChatTurn[] = [];
  const reply = (turn: ChatTurn) => {
    turns.push(turn);
    return {};
  };
  const assistant = { role: "assistant", content: "" };
  const messages = [...body.messages, assistant, assistant, ...body.messages];
  await answer({ reply }, { messages }, "session");
  expect(turns).toEqual([{ messages, turnIndex: 2, routingKey: "session" }]);
});

test("answer() counts the prompt that it was given, or the one that it rendered", async () => {
  const counted = async (members: object) =>
    JSON.parse((await answer({}, members)).text).usage.prompt_tokens;
  expect(await counted({ input_ids: [1, 2] })).toBe(2);
  expect(await counted({ input_ids: [] })).toBe(0);
  expect(await counted({})).toBe(3);
});

test("answer() gives equal ids to equal tokens only", async () => {
  const id = async (members: object) => JSON.parse((await answer({}, members)).text).id;
  expect(await id({ input_ids: [1] })).toBe(await id({ input_ids: [1] }));
  expect(await id({ input_ids: [1] })).not.toBe(await id({ input_ids: [2] }));
  expect(await id({})).toMatch(/^chatcmpl-[0-9a-f]{32}$/);
});

test("answer() seeds payloads with the routing key", async () => {
  const options = { routedExpertsRowBytes: 30 };
  const payload = async (routingKey: string) => {
    const { text } = await answer(options, { return_routed_experts: true }, routingKey);
    return JSON.parse(text).choices[0].meta_info.routed_experts;
  };
  expect(await payload("a")).toBe(await payload("a"));
  expect(await payload("a")).not.toBe(await payload("b"));
});

test("answer() takes the reply's fault before the engine's", async () => {
  const script = [{ fault: "reset" }, {}] as const;
  expect((await answer({ script, fault: "silent" })).fault).toBe("reset");
  expect((await answer({ fault: "silent" })).fault).toBe("silent");
  const reply = () => ({ fault: "misspelt" as "reset" });
  await expect(answer({ reply })).rejects.toThrow("misspelt");
});
