import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type EngineServer, startEngineServer } from "../../../bench/engine/server.ts";
import { turnHeaderName } from "../../../bench/engine/turn-header.ts";
import { receiveAndDrop } from "../../../bench/load/direct.ts";
import { replyBody } from "../../../bench/workload/reply-text.ts";
import { findShape, type Shape } from "../../../bench/workload/shape.ts";
import {
  loadWorkload,
  type StoredWorkload,
  storeWorkload,
  type Workload,
} from "../../../bench/workload/workload.ts";
import { testCheckpoint } from "../../fixtures/checkpoints.ts";

const shape: Shape = { ...(findShape("smoke") as Shape), thinkMs: 50 };
let stored: StoredWorkload;
let workload: Workload;
let engine: EngineServer;
let url = "";

beforeAll(async () => {
  stored = await storeWorkload(shape, 1, await testCheckpoint("qwen3"));
  workload = await loadWorkload(stored.directory);
  engine = startEngineServer(workload, 0);
  url = `http://127.0.0.1:${engine.port}/v1/chat/completions`;
});

afterAll(() => {
  engine.stop();
  stored.remove();
});

const ask = (turn: string, init: BunFetchRequestInit = {}) =>
  fetch(url, { method: "POST", body: "{}", headers: { [turnHeaderName]: turn }, ...init });

describe("startEngineServer()", () => {
  test("answers the turn that the header names, for the session that it names", async () => {
    for (const [sessionIndex, turnIndex] of [
      [0, 0],
      [3, 5],
    ] as const) {
      const reply = workload.replies[turnIndex];
      if (reply === undefined) throw new Error("the shape has that turn");
      const startedAt = performance.now();
      const response = await ask(`${sessionIndex}/${turnIndex}`);
      const body = await response.bytes();
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(shape.thinkMs - 1);
      expect(Buffer.from(body)).toEqual(
        Buffer.concat(replyBody(reply, workload.replayText, sessionIndex)),
      );
    }
  });

  test("closes the connection when the client wants that", async () => {
    const ended = Promise.withResolvers<void>();
    let received = "";
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port: engine.port,
      socket: {
        data(_, chunk) {
          received += chunk.toString("latin1");
        },
        end: () => ended.resolve(),
        close: () => ended.resolve(),
      },
    });
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\n${turnHeaderName}: 0/0\r\nConnection: close\r\n\r\n`,
    );
    await ended.promise;
    socket.end();
    expect(received).toContain("\r\nconnection: close\r\n");
    const body = received.slice(received.indexOf("\r\n\r\n") + 4);
    expect(body).toHaveLength(workload.replies[0]?.byteLength ?? 0);
  });

  for (const turn of ["", "x", "4/0", "0/6"]) {
    test(`refuses the turn "${turn}" with a sentence`, async () => {
      const response = await ask(turn);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain(turnHeaderName);
    });
  }

  test("answers /health and refuses other paths", async () => {
    const origin = new URL(url).origin;
    expect((await fetch(`${origin}/health`)).status).toBe(200);
    expect((await fetch(`${origin}/v1/models`)).status).toBe(400);
  });

  test("shares its port with a second engine", async () => {
    const second = startEngineServer(workload, engine.port);
    expect(second.port).toBe(engine.port);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => ask("0/0", { keepalive: false })),
    );
    expect(replies.every((response) => response.ok)).toBe(true);
    second.stop();
  });
});

function disposable(server: EngineServer) {
  return { port: server.port, [Symbol.dispose]: () => server.stop() };
}

describe("receiveAndDrop()", () => {
  for (const way of ["socket", "fetch"] as const) {
    test(`receives every byte of a run by ${way}`, async () => {
      // The model would think for an hour: that it comes back says that it does not wait.
      const slow = { ...workload, shape: { ...shape, thinkMs: 3_600_000 } };
      using engine = disposable(startEngineServer(slow, 0));
      const engineUrl = `http://127.0.0.1:${engine.port}`;
      const sessionIndices = Array.from({ length: shape.sessions }, (_, index) => index);
      const tally = await receiveAndDrop(slow, { engineUrl, way, sessionIndices });
      expect(tally.turns).toBe(shape.sessions * shape.turns);
      expect(tally.replyBytes).toBe(stored.summary.replyBytes * shape.sessions);
    });
  }
});
