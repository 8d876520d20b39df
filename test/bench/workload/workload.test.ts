import { afterAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { replyBody } from "../../../bench/workload/reply-text.ts";
import { requestBody } from "../../../bench/workload/request-text.ts";
import { findShape, type Shape } from "../../../bench/workload/shape.ts";
import {
  loadWorkload,
  type StoredWorkload,
  storeWorkload,
} from "../../../bench/workload/workload.ts";
import { testCheckpoint } from "../../fixtures/checkpoints.ts";

const smoke = findShape("smoke") as Shape;
const agentic: Shape = {
  ...(findShape("agentic") as Shape),
  sessions: 2,
  turns: 3,
  toolResultTokens: 200,
};
const stored: StoredWorkload[] = [];

async function store(shape: Shape, seed = 1): Promise<StoredWorkload> {
  const workload = await storeWorkload(shape, seed, await testCheckpoint("qwen3"));
  stored.push(workload);
  return workload;
}

afterAll(() => {
  for (const workload of stored) workload.remove();
});

interface ParsedReply {
  readonly id: string;
  readonly choices: readonly {
    readonly message: { readonly content: string; readonly tool_calls: object[] | null };
    readonly meta_info: {
      readonly output_token_logprobs: readonly unknown[];
      readonly routed_experts?: string;
    };
  }[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
}

async function bodies(directory: string, sessionIndex: number) {
  const workload = await loadWorkload(directory);
  return workload.replies.map((reply, turnIndex) => {
    const request = Buffer.concat(requestBody(workload.requests, sessionIndex, turnIndex));
    const slices = replyBody(reply, workload.replayText, sessionIndex);
    const bytes = Buffer.concat(slices);
    expect(bytes).toHaveLength(reply.byteLength);
    return {
      request: JSON.parse(request.toString()),
      reply: JSON.parse(bytes.toString()) as ParsedReply,
    };
  });
}

describe("storeWorkload()", () => {
  test("gives the same bytes for the same shape and seed", async () => {
    const [first, same, other] = [await store(smoke), await store(smoke), await store(smoke, 2)];
    expect(same.summary).toEqual(first.summary);
    expect(other.summary.requestsHash).not.toBe(first.summary.requestsHash);
    expect(other.summary.repliesHash).not.toBe(first.summary.repliesHash);
  });

  test("leaves nothing behind when it is removed", async () => {
    const workload = await store(smoke);
    expect(existsSync(workload.directory)).toBe(true);
    workload.remove();
    expect(existsSync(workload.directory)).toBe(false);
  });
});

describe("a stored workload", () => {
  test("replays in each request what was answered, after its own system message", async () => {
    const turns = await bodies((await store(smoke)).directory, 3);
    expect(turns).toHaveLength(smoke.turns);
    for (const [index, { request }] of turns.entries()) {
      const roles = request.messages.map((message: { role: string }) => message.role);
      const expected = ["system", ...Array(index).fill(["user", "assistant"]).flat(), "user"];
      expect(roles).toEqual(expected);
      expect(request.messages[0].content).toContain("agent 0003");
      const previous = turns[index - 1]?.reply.choices[0]?.message.content;
      if (previous !== undefined) expect(request.messages.at(-2).content).toBe(previous);
    }
  });

  test("has as many tokens and rows of R3 as the shape says", async () => {
    const turns = await bodies((await store(smoke)).directory, 0);
    for (const { reply } of turns) {
      const { prompt_tokens: prompt, completion_tokens: completion } = reply.usage;
      const meta = reply.choices[0]?.meta_info;
      expect(completion).toBe(smoke.outputTokens);
      expect(meta?.output_token_logprobs).toHaveLength(completion);
      const payload = Buffer.from(meta?.routed_experts ?? "", "base64");
      expect(payload).toHaveLength((prompt + completion - 1) * smoke.r3BytesPerToken);
    }
  });

  test("carries under incremental R3 the rows of each turn's own tokens", async () => {
    const { directory } = await store({ ...smoke, r3: "incremental" });
    let tokensBefore = 0;
    for (const { reply } of await bodies(directory, 1)) {
      const tokens = reply.usage.prompt_tokens + reply.usage.completion_tokens;
      const payload = Buffer.from(reply.choices[0]?.meta_info.routed_experts ?? "", "base64");
      expect(payload).toHaveLength((tokens - tokensBefore - 1) * smoke.r3BytesPerToken);
      tokensBefore = tokens;
    }
  });

  test("has no R3 in a shape without", async () => {
    const { directory, summary } = await store({ ...smoke, r3BytesPerToken: 0 });
    for (const { reply } of await bodies(directory, 0)) {
      expect(reply.choices[0]?.meta_info).not.toHaveProperty("routed_experts");
    }
    expect(summary.payloadCharacters).toBe(0);
  });

  test("calls tools in the agentic shape, and is answered by them", async () => {
    const turns = await bodies((await store(agentic)).directory, 0);
    for (const [index, { request, reply }] of turns.entries()) {
      expect(request.tools.length).toBeGreaterThan(0);
      expect(reply.usage.completion_tokens).toBe(agentic.outputTokens);
      expect(reply.choices[0]?.message.tool_calls).toHaveLength(1);
      const last = request.messages.at(-1);
      expect(last.role).toBe(index === 0 ? "user" : "tool");
      if (index === 0) continue;
      expect(last.tool_call_id).toBe(request.messages.at(-2).tool_calls[0].id);
    }
  });
});
