import { describe, expect, test } from "bun:test";
import { WorkerUnavailableError } from "../../src/errors.ts";
import { RecordsTickets } from "../../src/http/records-ticket.ts";
import { HandlerFailedError } from "../../src/ipc/channel-client.ts";
import { MalformedReplyError } from "../../src/ipc/operation-client.ts";
import { configureLog } from "../../src/log.ts";
import { healthReply, jsonReply, type Operation, type Reply } from "../../src/operation.ts";
import { createDispatch, type WorkerPort } from "../../src/router/dispatch.ts";
import { createSharding } from "../../src/sharding.ts";

configureLog("test", "silent");

const workerCount = 4;
const sharding = await createSharding(workerCount);
const noBody = new Uint8Array(0);
const instanceId = "0".repeat(32);

interface Asked {
  readonly workerIndex: number;
  readonly operation: Operation;
  readonly body: Uint8Array;
}

/** A dispatch over workers that record what they are asked and answer with their index. */
function dispatchOver(partial: Partial<WorkerPort> = {}) {
  const asked: Asked[] = [];
  const workers = Array.from(
    { length: workerCount },
    (_, workerIndex): WorkerPort => ({
      up: true,
      async ask(operation, body) {
        asked.push({ workerIndex, operation, body });
        return jsonReply(200, { workerIndex });
      },
      ...partial,
    }),
  );
  return {
    asked,
    workers,
    dispatch: createDispatch({
      instanceId,
      sharding,
      workers,
      recordsOrigins: null,
      recordsTickets: null,
    }),
  };
}

function textOf(reply: Reply): string {
  if (!(reply.body instanceof Uint8Array)) throw new Error("bytes were expected");
  return new TextDecoder().decode(reply.body);
}

describe("dispatch", () => {
  test("sends every operation of a session to the owner of its id", async () => {
    const { asked, dispatch } = dispatchOver();
    const forwarded = { method: "POST", query: "", headers: [] };
    for (const sessionId of ["a", "session-0001", "0123456789abcdef0123456789abcdef"]) {
      const operations: Operation[] = [
        { kind: "create_session", sessionId },
        { kind: "chat_completions", sessionId, ...forwarded },
        { kind: "proxy", sessionId, path: "v1/models", ...forwarded },
        { kind: "get_session", sessionId },
        { kind: "delete_session", sessionId },
      ];
      asked.length = 0;
      for (const operation of operations) await dispatch(operation, noBody);
      expect(asked.map(({ operation }) => operation)).toEqual(operations);
      expect(new Set(asked.map(({ workerIndex }) => workerIndex))).toEqual(
        new Set([sharding.ownerOf(sessionId)]),
      );
    }
  });

  test("mints the id of a new session and sends it to that id's owner", async () => {
    const { asked, dispatch } = dispatchOver();
    for (let count = 0; count < 20; count++) {
      await dispatch({ kind: "create_session", sessionId: null }, noBody);
    }
    const sessionIds = asked.map(({ operation, workerIndex }) => {
      if (operation.kind !== "create_session") throw new Error("another operation");
      expect(sharding.ownerOf(operation.sessionId ?? "")).toBe(workerIndex);
      return operation.sessionId;
    });
    expect(new Set(sessionIds).size).toBe(20);
    for (const sessionId of sessionIds) expect(sessionId).toMatch(/^[0-9a-f]{32}$/);
  });

  test("hands bodies and replies on as they are", async () => {
    const reply: Reply = { status: 207, headers: [["x", "y"]], body: Uint8Array.of(255, 0) };
    const bodies: Uint8Array[] = [];
    const { dispatch } = dispatchOver({
      async ask(_, body) {
        bodies.push(body);
        return reply;
      },
    });
    const body = Uint8Array.of(0xff, 0xfe);
    expect(await dispatch({ kind: "get_session", sessionId: "a" }, body)).toBe(reply);
    expect(bodies[0]).toBe(body);
  });
});

describe("health", () => {
  test("is answered by the router itself while every worker can be asked", async () => {
    const { asked, dispatch } = dispatchOver();
    expect(await dispatch({ kind: "health" }, noBody)).toEqual(healthReply(instanceId));
    expect(asked).toEqual([]);
  });

  test("is 503 when a single worker is down, and says which", async () => {
    const { workers } = dispatchOver();
    const withOneDown = workers.map((worker, index) => ({ ...worker, up: index !== 2 }));
    const dispatch = createDispatch({
      instanceId,
      sharding,
      workers: withOneDown,
      recordsOrigins: null,
      recordsTickets: null,
    });
    const reply = await dispatch({ kind: "health" }, noBody);
    expect([reply.status, textOf(reply)]).toEqual([
      503,
      '{"error":"workers down: 2 (indexes, of 4)"}',
    ]);
  });
});

describe("failures", () => {
  const owner = sharding.ownerOf("a");
  const cases = [
    [new WorkerUnavailableError("gone"), 503, `session worker ${owner} is unavailable: gone`],
    [new HandlerFailedError("boom"), 502, `session worker ${owner} failed: boom`],
    [
      new MalformedReplyError("no status"),
      500,
      `session worker ${owner} sent a malformed reply: no status`,
    ],
  ] as const;
  for (const [error, status, message] of cases) {
    test(`${error.constructor.name} is answered ${status}`, async () => {
      const { dispatch } = dispatchOver({ ask: () => Promise.reject(error) });
      const reply = await dispatch({ kind: "get_session", sessionId: "a" }, noBody);
      expect([reply.status, textOf(reply)]).toEqual([status, JSON.stringify({ error: message })]);
    });
  }

  test("anything else is a bug and rejects", async () => {
    const { dispatch } = dispatchOver({ ask: () => Promise.reject(new TypeError("bug")) });
    await expect(dispatch({ kind: "get_session", sessionId: "a" }, noBody)).rejects.toThrow("bug");
  });
});

describe("createDispatch() with records that come from their owner", () => {
  test("redirects the records of a session, and nothing else, to the owner's listener", async () => {
    const sharding = await createSharding(2);
    const asked: Operation[] = [];
    const worker: WorkerPort = {
      up: true,
      ask: async (operation) => {
        asked.push(operation);
        return jsonReply(200, {});
      },
    };
    const recordsOrigins = ["http://node:1", "http://node:2"];
    const workers = [worker, worker];
    const options = { instanceId: "i", sharding, workers, recordsOrigins };
    const dispatch = createDispatch({ ...options, recordsTickets: null });
    const sessionId = "a b";
    const reply = await dispatch({ kind: "get_session", sessionId }, new Uint8Array(0));
    const owner = recordsOrigins[sharding.ownerOf(sessionId)];
    expect(reply.status).toBe(307);
    expect(reply.headers).toEqual([["location", `${owner}/sessions/a%20b`]]);
    expect(asked).toEqual([]);
    await dispatch({ kind: "delete_session", sessionId }, new Uint8Array(0));
    expect(asked).toHaveLength(1);

    const recordsTickets = new RecordsTickets("token");
    const guarded = createDispatch({ ...options, recordsTickets });
    const sent = await guarded({ kind: "get_session", sessionId }, new Uint8Array(0));
    const location = new URL(sent.headers[0]?.[1] ?? "");
    expect(location.href).toStartWith(`${owner}/sessions/a%20b?`);
    expect(recordsTickets.admits(sessionId, location.search.slice(1), Date.now())).toBe(true);
  });
});

describe("GET /sessions", () => {
  const operation: Operation = { kind: "list_sessions", limit: 2, after: "a" };

  test("is made of the pages of all workers", async () => {
    const { asked, workers, dispatch } = dispatchOver();
    for (const [worker, port] of workers.entries()) {
      port.ask = async (seen, body) => {
        asked.push({ workerIndex: worker, operation: seen, body });
        return jsonReply(200, {
          sessions: [{ session_id: `b${workerCount - worker}`, worker }],
          total: 2,
          next_after: null,
        });
      };
    }
    const reply = await dispatch(operation, noBody);
    expect(asked.map((one) => one.operation)).toEqual(Array(workerCount).fill(operation));
    expect(JSON.parse(textOf(reply))).toEqual({
      sessions: [
        { session_id: "b1", worker: 3 },
        { session_id: "b2", worker: 2 },
      ],
      total: 8,
      next_after: "b2",
    });
  });

  test("is the failure of a worker that cannot be asked: no list lacks a shard", async () => {
    const { workers, dispatch } = dispatchOver();
    const lost = workers[2];
    if (lost) lost.ask = () => Promise.reject(new WorkerUnavailableError("channel closed"));
    const reply = await dispatch(operation, noBody);
    expect(reply.status).toBe(503);
    expect(textOf(reply)).toContain("session worker 2 is unavailable");
  });
});

test("failures are told in the client's protocol", async () => {
  const { dispatch } = dispatchOver({
    ask: () => Promise.reject(new WorkerUnavailableError("channel closed")),
  });
  const turn = { sessionId: "s", method: "POST", query: "", headers: [] };
  const anthropic = await dispatch({ kind: "messages", ...turn }, noBody);
  expect([anthropic.status, JSON.parse(textOf(anthropic)).error.type]).toEqual([
    529,
    "overloaded_error",
  ]);
  const openai = await dispatch({ kind: "responses", ...turn }, noBody);
  expect([openai.status, JSON.parse(textOf(openai)).error.type]).toEqual([503, "server_error"]);
});
