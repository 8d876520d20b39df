import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { turnHeaderName } from "../../../bench/engine/turn-header.ts";
import { Agent } from "../../../bench/load/agent.ts";
import { chatInStep } from "../../../bench/load/in-step.ts";
import { readRecords } from "../../../bench/load/records-reader.ts";
import { emptyChatTally, emptyRecordsTally } from "../../../bench/load/tally.ts";
import { replyId } from "../../../bench/workload/reply-text.ts";
import type { RequestText } from "../../../bench/workload/request-text.ts";
import { findShape, type Shape } from "../../../bench/workload/shape.ts";
import type { Workload } from "../../../bench/workload/workload.ts";

const turns = 3;
const requests: RequestText = {
  messages: Buffer.from(',{"role":"user"}'.repeat(turns)),
  messageEnds: [16, 32, 48],
  closing: "]}",
};
const workload: Workload = {
  shape: { ...(findShape("smoke") as Shape), turns, idleMs: 1 },
  seed: 1,
  requests,
  replies: Array.from({ length: turns }, () => ({
    opening: "",
    closing: "",
    payload: null,
    byteLength: 0,
  })),
  replayText: new Uint8Array(0),
};

/** Answers a chat, told by session and turn of the header. */
type Answer = (turnIndex: number) => Response;
let answer: Answer = (turnIndex) => Response.json({ id: replyId(turnIndex) });
let asked = 0;
let server: Bun.Server<undefined>;

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    routes: {
      "/sessions": () => Response.json({ session_id: "abc" }),
      "/sessions/abc/v1/chat/completions": async (request) => {
        asked += 1;
        await request.json();
        return answer(Number(request.headers.get(turnHeaderName)?.split("/")[1]));
      },
      "/sessions/abc": {
        GET: () => new Response("x".repeat(100)),
        DELETE: () => new Response(null, { status: 204 }),
      },
      "/sessions/moved": () =>
        new Response(null, { status: 307, headers: { location: "/sessions/abc" } }),
    },
    fetch: () => new Response("no", { status: 404 }),
  });
});

afterAll(() => server.stop(true));

async function chat(answerTo: Answer) {
  answer = answerTo;
  asked = 0;
  const tally = emptyChatTally();
  const agent = new Agent(workload, 2, server.url.origin, tally);
  expect(await agent.createSession()).toBe(true);
  await agent.chat(() => {});
  agent.close();
  return tally;
}

describe("Agent", () => {
  test("counts every turn with its latency", async () => {
    const tally = await chat((turnIndex) => Response.json({ id: replyId(turnIndex) }));
    expect(tally.latencies.map(([session, turn]) => [session, turn])).toEqual([
      [2, 0],
      [2, 1],
      [2, 2],
    ]);
    expect(tally.failures).toEqual({});
    expect(tally.replyBytes).toBeGreaterThan(0);
  });

  test("gives replies a hash that follows from their bytes", async () => {
    const good: Answer = (turnIndex) => Response.json({ id: replyId(turnIndex) });
    const spaced: Answer = (turnIndex) => new Response(` {"id":"${replyId(turnIndex)}"}`);
    const [first, same, other] = [await chat(good), await chat(good), await chat(spaced)];
    expect(same.replyHash).toBe(first.replyHash);
    expect(other.replyHash).not.toBe(first.replyHash);
  });

  for (const [kind, failing] of [
    ["chat: status 502", () => new Response("", { status: 502 })],
    ["chat: wrong reply", () => Response.json({ id: replyId(7) })],
    [
      "chat: replay payload in reply",
      (turnIndex: number) => Response.json({ id: replyId(turnIndex), routed_experts: "" }),
    ],
  ] as const) {
    test(`counts "${kind}" once, tries nothing again and ends the session`, async () => {
      const tally = await chat((turnIndex) =>
        turnIndex === 1 ? failing(turnIndex) : Response.json({ id: replyId(turnIndex) }),
      );
      expect(tally.failures).toEqual({ [kind]: 1 });
      expect(tally.notAttempted).toBe(1);
      expect(tally.latencies).toHaveLength(1);
      expect(asked).toBe(2);
    });
  }
});

describe("Agent.deleteSession()", () => {
  test("succeeds with 204, and counts a session that is not there", async () => {
    const tally = emptyChatTally();
    const agent = new Agent(workload, 0, server.url.origin, emptyChatTally());
    agent.sessionId = "abc";
    await agent.deleteSession(tally);
    expect(tally.failures).toEqual({});
    agent.sessionId = "none";
    await agent.deleteSession(tally);
    expect(tally.failures).toEqual({ "delete: status 404": 1 });
    agent.close();
  });
});

describe("chatInStep()", () => {
  test("takes turn by turn, one chat at a time, and leaves out what failed", async () => {
    const order: number[] = [];
    answer = (turnIndex) => {
      order.push(turnIndex);
      return Response.json({ id: replyId(order.length === 5 ? 9 : turnIndex) });
    };
    const tally = emptyChatTally();
    const agents = [0, 1, 2].map((index) => new Agent(workload, index, server.url.origin, tally));
    for (const agent of agents) agent.sessionId = "abc";
    let nanoseconds = 0;
    const clock = {
      nanoseconds: () => {
        nanoseconds += 600;
        return nanoseconds;
      },
    };
    let done = 0;
    const onTurn = () => {
      done += 1;
    };
    expect(await chatInStep(agents, turns, clock, onTurn)).toEqual([200, 200, 300]);
    expect(order).toEqual([0, 0, 0, 1, 1, 1, 2, 2]);
    expect(done).toBe(7);
    expect(tally.failures).toEqual({ "chat: wrong reply": 1 });
    expect(tally.notAttempted).toBe(1);
    for (const agent of agents) agent.close();
  });
});

describe("readRecords()", () => {
  const read = async (sessionIds: readonly string[], bytesMin: number, concurrency = 2) => {
    const tally = emptyRecordsTally();
    const url = server.url.origin;
    await readRecords(
      { url, sessionIds, concurrency, bytesMin, repeats: false },
      tally,
      () => false,
    );
    return tally;
  };

  test("reads every session once and counts its bytes, also behind a redirect", async () => {
    const { gets, failures } = await read(["abc", "moved", "abc"], 100);
    expect(gets.map(([bytes]) => bytes)).toEqual([100, 100, 100]);
    expect(failures).toEqual({});
  });

  test("counts what is missing or too short", async () => {
    expect((await read(["abc"], 101)).failures).toEqual({ "records: too short": 1 });
    expect((await read(["none"], 0)).failures).toEqual({ "records: status 404": 1 });
  });

  test("goes on until it is told to stop", async () => {
    const tally = emptyRecordsTally();
    const url = server.url.origin;
    const reading = { url, sessionIds: ["abc"], concurrency: 2, bytesMin: 1, repeats: true };
    await readRecords(reading, tally, () => tally.gets.length >= 20);
    expect(tally.gets.length).toBeGreaterThanOrEqual(20);
  });
});
