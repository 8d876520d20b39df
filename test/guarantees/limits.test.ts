/**
 * Bounds that a client can meet, at the bound and one past it. test/limits.test.ts says where the
 * others are tested.
 */
import { afterAll, beforeAll, describe, expect, jest, test } from "bun:test";
import { parseChatRequest } from "../../src/core/chat-request.ts";
import { InvalidRequestError } from "../../src/errors.ts";
import { type Listener, startListener } from "../../src/http/listener.ts";
import { LaneOffers } from "../../src/ipc/lane-offers.ts";
import {
  chatBodyBytesMax,
  failureLinesPerSecond,
  jsonNestingMax,
  laneClaimMs,
  requestBodyBytesMax,
  rollbackTurnsMax,
} from "../../src/limits.ts";
import { LineLimiter } from "../../src/line-limiter.ts";
import { jsonReply } from "../../src/operation.ts";
import { LinearTrajectory } from "../../src/trajectory/linear-trajectory.ts";
import { exchange } from "../harness/raw-http.ts";
import { type ServerProcess, startServer } from "../harness/server-process.ts";
import { hangMs } from "../harness/time-limit.ts";
import { Session } from "./session.ts";

const noneKnown = () => new LinearTrajectory(0).knownMessages();

describe("requestBodyBytesMax", () => {
  let listener: Listener;
  beforeAll(async () => {
    listener = await startListener({
      hostname: "127.0.0.1",
      port: 0,
      dispatch: async () => jsonReply(200, {}),
    });
  });
  afterAll(() => listener.stop(0));

  const announce = (byteLength: number, headers = "") =>
    exchange(
      listener.url,
      `POST /sessions HTTP/1.1\r\nHost: h\r\n${headers}Content-Length: ${byteLength}\r\n\r\n`,
    );

  test("a body of so many bytes is asked for, one of a byte more is 413", async () => {
    expect(await announce(requestBodyBytesMax + 1)).toStartWith("HTTP/1.1 413 ");
    expect(await announce(requestBodyBytesMax, "Expect: 100-continue\r\n")).toBe(
      "HTTP/1.1 100 Continue\r\n\r\n",
    );
  });
});

/** What the family of a session takes: nothing that these tests depend on. */
const rules = { developerIsSystem: true, systemAnywhere: true };

describe("chatBodyBytesMax", () => {
  const refusal = (byteLength: number): string => {
    try {
      parseChatRequest(new Uint8Array(byteLength), noneKnown(), rules);
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidRequestError);
      return (error as Error).message;
    }
    return "";
  };

  test(
    "a chat request of so many bytes is read, one of a byte more is not",
    () => {
      expect(refusal(chatBodyBytesMax + 1)).toContain("is too large");
      expect(refusal(chatBodyBytesMax)).toStartWith("invalid JSON body: ");
    },
    hangMs,
  );
});

describe("jsonNestingMax", () => {
  const nested = (depth: number) =>
    Buffer.from(
      `{"messages":[{"role":"user","content":"a"}],"x":${"[".repeat(depth)}${"]".repeat(depth)}}`,
    );

  test("a request nested so deep is read, one level more is not", () => {
    // The request itself is the first level.
    expect(parseChatRequest(nested(jsonNestingMax - 1), noneKnown(), rules).messages).toHaveLength(
      1,
    );
    expect(() => parseChatRequest(nested(jsonNestingMax), noneKnown(), rules)).toThrow(
      InvalidRequestError,
    );
  });
});

describe("laneClaimMs", () => {
  test("a body that is not claimed is held for so long, and then let go", () => {
    jest.useFakeTimers();
    try {
      const offers = new LaneOffers();
      offers.offer({ byteLength: null, chunks: (async function* () {})() }, {});
      jest.advanceTimersByTime(laneClaimMs - 1);
      expect(offers.count).toBe(1);
      jest.advanceTimersByTime(1);
      expect(offers.count).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe("failureLinesPerSecond", () => {
  test("so many lines of one moment are written, one more is counted", () => {
    const limiter = new LineLimiter(failureLinesPerSecond, 0);
    for (let line = 0; line < failureLinesPerSecond; line++) expect(limiter.admit(0)).toBe(0);
    expect(limiter.admit(0)).toBeNull();
  });
});

describe("rollbackTurnsMax", () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServer(["--port", "0"]);
  }, hangMs);
  afterAll(() => server.stop());

  test("so many generated turns can be taken back at once, one more cannot", async () => {
    const session = await Session.create(server.url);
    // The mock engine echoes the last message.
    const messages = [{ role: "user", content: "0" }];
    for (let turn = 0; turn < rollbackTurnsMax + 2; turn++) {
      const reply = await session.converse(messages);
      expect(reply.status).toBe(200);
      const { choices } = JSON.parse(reply.text) as { choices: { message: never }[] };
      messages.push(choices[0]?.message ?? (null as never));
      messages.push({ role: "user", content: `${turn + 1}` });
    }
    const asOf = (turnsKept: number) => messages.slice(0, 2 * turnsKept + 1);
    const turns = rollbackTurnsMax + 2;
    const tooFar = await session.converse(asOf(turns - rollbackTurnsMax - 1));
    expect([tooFar.status, tooFar.text]).toEqual([400, expect.stringContaining("rollback failed")]);
    expect(await session.recordCount()).toBe(turns);
    expect((await session.converse(asOf(turns - rollbackTurnsMax))).status).toBe(200);
    expect(await session.recordCount()).toBe(turns - rollbackTurnsMax + 1);
  });
});
