/**
 * What a model writes wrong is none of its client's mistakes: the session goes on.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { configureLog } from "../../src/log.ts";
import type { TurnKind } from "../../src/operation.ts";
import type { TitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { FakeServer, json, qwen3Tokenizer } from "../core/fake-server.ts";

configureLog("test", "silent");

let tito: TitoTokenizer;

beforeAll(async () => {
  tito = await qwen3Tokenizer();
});

type Json = Record<string, unknown>;

interface Agent {
  readonly first: object;
  /** The next request: what came, and the results of its calls. */
  next(reply: Json): object;
}

const user = { role: "user", content: "q" };

const agents: readonly (readonly [kind: TurnKind, agent: Agent])[] = [
  [
    "chat_completions",
    {
      first: { messages: [user] },
      next({ choices }) {
        const { message } = (choices as { message: Json }[])[0] ?? { message: {} };
        const result = { role: "tool", tool_call_id: "c", content: "no such arguments" };
        return { messages: [user, message, result] };
      },
    },
  ],
  [
    "messages",
    {
      first: { messages: [user], max_tokens: 5 },
      next({ content }) {
        const result = { type: "tool_result", tool_use_id: "c", content: "no such arguments" };
        const messages = [
          user,
          { role: "assistant", content },
          { role: "user", content: [result] },
        ];
        return { messages, max_tokens: 5 };
      },
    },
  ],
  [
    "responses",
    {
      first: { input: [user] },
      next({ output }) {
        const result = { type: "function_call_output", call_id: "c", output: "no such arguments" };
        return { input: [user, ...(output as Json[]), result] };
      },
    },
  ],
];

function calling(written: string): string {
  const called = { id: "c", type: "function", function: { name: "f", arguments: written } };
  const message = { role: "assistant", content: "", tool_calls: [called] };
  const metaInfo = { completion_tokens: 1, output_token_logprobs: [[-0.5, 7, null]] };
  return JSON.stringify({
    choices: [{ message, finish_reason: "tool_calls", meta_info: metaInfo }],
  });
}

describe.each(agents)("%s", (kind, agent) => {
  test.each(["nope", "", "{'x':1}", '{"x": 1', "[1]", "null"])(
    "a session goes on behind a call with the arguments %j",
    async (written) => {
      const added: number[][] = [];
      for (const toolArguments of [written, '{"x": 1}']) {
        const server = new FakeServer(tito);
        await server.create("s");
        const first = server.ask(kind, "s", agent.first);
        (await server.upstream.next()).answer(200, calling(toolArguments));
        const next = agent.next((await json(await first)) as Json);
        const second = server.ask(kind, "s", next);
        (await server.upstream.next()).generate("done");
        expect((await second).status).toBe(200);
        const { records, metadata } = await server.dump("s");
        expect(records).toHaveLength(2);
        expect(metadata.tito_session_mismatch).toBeArray();
        const [before, after] = records.map(({ request }) => request.input_ids);
        expect(after?.slice(0, before?.length)).toEqual(before ?? []);
        added.push(after?.slice(before?.length) ?? []);
      }
      expect(added[0]).toEqual(added[1] ?? []);
    },
  );
});

test("arguments that a client makes up stay its own mistake", async () => {
  const server = new FakeServer(tito);
  await server.create("s");
  const { message } = JSON.parse(calling("nope")).choices[0];
  const reply = await server.chat("s", { messages: [user, message, user] });
  expect(reply.status).toBe(400);
  expect(JSON.stringify(await json(reply))).toContain(
    "messages[1].tool_calls[0].function.arguments is not valid JSON",
  );
});
