/**
 * Bodies of clients and replies of backends that are broken in every way: answered, never a crash,
 * and what failed changes nothing. In one process, for many cases; over HTTP are the others.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { SessionCore } from "../../src/core/core.ts";
import { configureLog } from "../../src/log.ts";
import type { Operation, Reply } from "../../src/operation.ts";
import { createTitoTokenizer, type TitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { loadCheckpoint } from "../../src/tokenizer/checkpoint.ts";
import { messageMatchers } from "../../src/trajectory/message-matcher.ts";
import type { Upstream, UpstreamReply } from "../../src/upstream/upstream-client.ts";
import { mutated, randomJson } from "../harness/mutation.ts";
import { type Random, randomFrom, seedOf } from "../harness/random.ts";
import { hangMs } from "../harness/time-limit.ts";
import { goodReply } from "./backend-trouble.cases.ts";

configureLog("test", "silent");

const requestCases = 15_000;
const replyCases = 15_000;

let tito: TitoTokenizer;
beforeAll(async () => {
  const checkpoint = await loadCheckpoint(null, { chatTemplatePath: null });
  tito = createTitoTokenizer({ family: "default", checkpoint, chatTemplateKwargs: new Map() });
});

/** Answers each request with the next text, in chunks. */
class TextUpstream implements Upstream {
  chunks: readonly Uint8Array[] = [Buffer.from(goodReply)];

  async send(): Promise<UpstreamReply> {
    const { chunks } = this;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        // A copy, as from a socket: whoever reads it gives its memory back.
        for (const chunk of chunks) controller.enqueue(Uint8Array.from(chunk));
        controller.close();
      },
    });
    return { status: 200, headers: [], contentLength: null, body };
  }
}

class Victim {
  readonly upstream = new TextUpstream();
  readonly #core: SessionCore;

  constructor() {
    this.#core = new SessionCore("0".repeat(32), {
      upstream: this.upstream,
      tito,
      messageMatcher: messageMatchers.strict,
      messageRules: { developerIsSystem: true, systemAnywhere: true },
      replay: { routedExperts: false, indexerTopk: false },
      streamKeepAliveMs: 0,
    });
  }

  chat(sessionId: string, body: Uint8Array | string): Promise<Reply> {
    const operation: Operation = {
      kind: "chat_completions",
      sessionId,
      method: "POST",
      query: "",
      headers: [],
    };
    return this.#core.handle(operation, Buffer.from(body));
  }

  async renew(sessionId: string): Promise<void> {
    const noBody = new Uint8Array(0);
    await this.#core.handle({ kind: "delete_session", sessionId }, noBody);
    await this.#core.handle({ kind: "create_session", sessionId }, noBody);
  }

  async dump(sessionId: string): Promise<string> {
    return textOf(await this.#core.handle({ kind: "get_session", sessionId }, new Uint8Array(0)));
  }
}

async function textOf({ body }: Reply): Promise<string> {
  if (body instanceof Uint8Array) return Buffer.from(body).toString();
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.chunks) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const goodBodies = [
  '{"messages":[{"role":"user","content":"a"}]}',
  '{"model":"m","stream":true,"messages":[{"role":"system","content":"s"},{"role":"user",' +
    '"content":[{"type":"text","text":"a"}]}],"temperature":1.0,"seed":12345678901234567890}',
  '{"messages":[{"role":"user","content":"a"}],"tools":[{"type":"function","function":{"name":"f",' +
    '"description":"d","parameters":{"type":"object","properties":{"x":{"type":"string"}}}}}],' +
    '"chat_template_kwargs":{"enable_thinking":false}}',
  '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"fine"},' +
    '{"role":"tool","tool_call_id":"c","content":"r"}]}',
];

const bodyDictionary = [
  ...['"messages":', '"tools":', '"role":', '"content":', '"chat_template_kwargs":', '"stream":'],
  ...["[", "]", "{", "}", ",", ":", "null", "1e999", "\\u0000", "\\ud800", "\xff", '"'],
];

function randomBody(random: Random): Uint8Array | string {
  const good = random.pick(goodBodies);
  switch (random.integer(0, 4)) {
    case 0:
      return randomJson(random);
    case 1:
      return `{"messages":${randomJson(random)},"tools":${randomJson(random)}}`;
    case 2:
      return (
        `{"messages":[{"role":"user","content":${randomJson(random)}},${randomJson(random)}],` +
        `"chat_template_kwargs":${randomJson(random)}}`
      );
    default:
      return mutated(random, Buffer.from(good), bodyDictionary);
  }
}

describe("hostile JSON", () => {
  test(
    `${requestCases} chat requests: an answer, a sentence, and no trace of what was refused`,
    async () => {
      const random = randomFrom(seedOf("hostile chat requests"));
      const victim = new Victim();
      const statuses = new Map<number, number>();
      await victim.renew("s");
      let before = await victim.dump("s");
      for (let count = 0; count < requestCases; count++) {
        const body = randomBody(random);
        const reply = await victim.chat("s", body);
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
        const text = await textOf(reply);
        if (reply.status !== 200) {
          expect([Buffer.from(body).toString("latin1"), reply.status, text]).toEqual([
            expect.anything(),
            400,
            expect.stringMatching(/^\{"error":".{15,}"\}$/s),
          ]);
          expect(await victim.dump("s")).toBe(before);
          continue;
        }
        // Now and then the session starts afresh, so that first turns are met as well.
        if (random.chance(0.3)) await victim.renew("s");
        before = await victim.dump("s");
      }
      console.log(`hostile chat requests: ${requestCases} tried, ${countsOf(statuses)}`);
    },
    hangMs,
  );

  test(
    `${replyCases} backend replies: 200 or 502, and no trace of what was refused`,
    async () => {
      const random = randomFrom(seedOf("hostile backend replies"));
      const victim = new Victim();
      const statuses = new Map<number, number>();
      await victim.renew("s");
      let before = await victim.dump("s");
      for (let count = 0; count < replyCases; count++) {
        const reply = random.chance(0.8)
          ? mutated(random, Buffer.from(goodReply), bodyDictionary)
          : Buffer.from(
              `{"choices":[{"message":{"content":"x"},"meta_info":${randomJson(random)}}]}`,
            );
        const cut = random.integer(0, reply.byteLength);
        victim.upstream.chunks = [reply.subarray(0, cut), reply.subarray(cut)];
        const { status } = await victim.chat("s", goodBodies[0] ?? "");
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect([200, 502, 503], reply.toString("latin1")).toContain(status);
        if (status === 200) before = await victim.dump("s");
        else expect(await victim.dump("s")).toBe(before);
        JSON.parse(before.replaceAll(/\bNaN|-?Infinity\b/g, "0"));
      }
      console.log(`hostile backend replies: ${replyCases} tried, ${countsOf(statuses)}`);
    },
    hangMs,
  );
});

function countsOf(statuses: ReadonlyMap<number, number>): string {
  return [...statuses]
    .sort()
    .map(([status, count]) => `${count} x ${status}`)
    .join(", ");
}
