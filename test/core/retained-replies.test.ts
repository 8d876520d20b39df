import { describe, expect, test } from "bun:test";
import type { OnWaiting } from "../../src/core/early-stream.ts";
import type { RequestMark } from "../../src/core/request-mark.ts";
import { RetainedReplies } from "../../src/core/retained-replies.ts";
import { InvalidRequestError } from "../../src/errors.ts";
import {
  retainedReplyBytesEachMax,
  retainedReplyBytesMax,
  retainedTurnsMax,
} from "../../src/limits.ts";
import type { Reply } from "../../src/operation.ts";

const first = (fingerprint: string): RequestMark => ({
  fingerprint,
  idempotencyKey: null,
  isRepetition: false,
});
const again = (fingerprint: string): RequestMark => ({ ...first(fingerprint), isRepetition: true });
const keyed = (fingerprint: string, idempotencyKey: string): RequestMark => ({
  ...first(fingerprint),
  idempotencyKey,
});

function reply(text: string, status = 200): Reply {
  return { status, headers: [["x", "1"]], body: Buffer.from(text) };
}

/** Attempts by hand: each waits until the test settles it. */
class Attempts {
  readonly started: PromiseWithResolvers<Reply>[] = [];
  readonly turnIds: string[] = [];
  readonly start = (turnId: string): Promise<Reply> => {
    this.turnIds.push(turnId);
    const attempt = Promise.withResolvers<Reply>();
    this.started.push(attempt);
    return attempt.promise;
  };
}

const textOf = (one: Reply) => Buffer.from(one.body as Uint8Array).toString();
const never = () => Promise.reject(new Error("sampled twice"));

describe("RetainedReplies", () => {
  test("a repetition gets the kept reply, marked as such", async () => {
    const replies = new RetainedReplies();
    await replies.answer("s", first("a"), async () => reply("one"));
    const repeated = await replies.answer("s", again("a"), never);
    expect(textOf(repeated)).toBe("one");
    expect(repeated.headers).toEqual([
      ["x", "1"],
      ["idempotent-replayed", "true"],
    ]);
  });

  test("a repetition is told what the attempt that runs waits with", async () => {
    const replies = new RetainedReplies();
    const running = Promise.withResolvers<Reply>();
    const events = { ...{ opening: "", keepAlive: "", eventsInOpening: 0 }, failure: () => "" };
    const told: [string, unknown][] = [];
    const tell = (who: string) => (found: () => unknown) => void told.push([who, found()]);
    const attempt = (_turnId: string, onWaiting: OnWaiting) => {
      onWaiting(() => events);
      return running.promise;
    };
    const original = replies.answer("s", first("a"), attempt, tell("original"));
    const repeated = replies.answer("s", again("a"), never, tell("repeated"));
    running.resolve(reply("one"));
    await Promise.all([original, repeated]);
    expect(told).toEqual([
      ["original", events],
      ["repeated", events],
    ]);
  });

  test("a repetition waits for the attempt that runs", async () => {
    const replies = new RetainedReplies();
    const attempts = new Attempts();
    const original = replies.answer("s", first("a"), attempts.start);
    const repeated = replies.answer("s", again("a"), never);
    attempts.started[0]?.resolve(reply("one"));
    expect([textOf(await original), textOf(await repeated)]).toEqual(["one", "one"]);
  });

  test("without a mark, the same request is a new attempt, which repetitions then mean", async () => {
    const replies = new RetainedReplies();
    await replies.answer("s", first("a"), async () => reply("one"));
    expect(textOf(await replies.answer("s", first("a"), async () => reply("two")))).toBe("two");
    expect(textOf(await replies.answer("s", again("a"), never))).toBe("two");
  });

  test("a repetition of nothing known, or of another session's request, is an attempt", async () => {
    const replies = new RetainedReplies();
    await replies.answer("s", first("a"), async () => reply("one"));
    expect(textOf(await replies.answer("t", again("a"), async () => reply("new")))).toBe("new");
    expect(textOf(await replies.answer("s", again("b"), async () => reply("new")))).toBe("new");
  });

  test.each([400, 502, 503])("what failed with %d is attempted anew", async (status) => {
    const replies = new RetainedReplies();
    await replies.answer("s", first("a"), async () => reply("no", status));
    expect(textOf(await replies.answer("s", again("a"), async () => reply("yes")))).toBe("yes");
  });

  test("of those that wait for an attempt that fails, one attempts and the others wait", async () => {
    const replies = new RetainedReplies();
    const attempts = new Attempts();
    const original = replies.answer("s", first("a"), attempts.start);
    const waiting = [1, 2].map(() => replies.answer("s", again("a"), attempts.start));
    attempts.started[0]?.reject(new Error("lost"));
    expect(original).rejects.toThrow("lost");
    await original.catch(() => {});
    while (attempts.started.length < 2) await Promise.resolve();
    attempts.started[1]?.resolve(reply("second"));
    expect((await Promise.all(waiting)).map(textOf)).toEqual(["second", "second"]);
    expect(attempts.started).toHaveLength(2);
  });

  test("who waited for an attempt that failed gets the turn of its name, whatever runs beside", async () => {
    const replies = new RetainedReplies();
    const attempts = new Attempts();
    const original = replies.answer("s", first("a"), attempts.start);
    const repeated = replies.answer("s", again("a"), attempts.start);
    const other = replies.answer("s", first("a"), attempts.start);
    attempts.started[0]?.resolve(reply("no", 502));
    await original;
    while (attempts.started.length < 3) await Promise.resolve();
    attempts.started[1]?.resolve(reply("other"));
    attempts.started[2]?.resolve(reply("repeated"));
    expect([textOf(await other), textOf(await repeated)]).toEqual(["other", "repeated"]);
    const [failed, beside, anew] = attempts.turnIds;
    expect(anew).toBe(failed ?? "");
    expect(beside).not.toBe(failed ?? "");
  });

  test("an Idempotency-Key names one request", async () => {
    const replies = new RetainedReplies();
    await replies.answer("s", keyed("a", "k"), async () => reply("one"));
    expect(textOf(await replies.answer("s", keyed("a", "k"), never))).toBe("one");
    expect(replies.answer("s", keyed("b", "k"), never)).rejects.toThrow(InvalidRequestError);
    const other = replies.answer("s", keyed("a", "l"), async () => reply("two"));
    expect(textOf(await other)).toBe("two");
  });

  test("keeps the latest turns of a session only", async () => {
    const replies = new RetainedReplies();
    for (let turn = 0; turn <= retainedTurnsMax; turn++) {
      await replies.answer("s", first(`${turn}`), async () => reply(`${turn}`));
    }
    expect(replies.keptBytes).toBe(retainedTurnsMax);
    expect(textOf(await replies.answer("s", again("1"), never))).toBe("1");
    expect(textOf(await replies.answer("s", again("0"), async () => reply("new")))).toBe("new");
  });

  test("keeps no more bytes than it may: the oldest go first, whoever's they are", async () => {
    const replies = new RetainedReplies(10);
    await replies.answer("s", first("a"), async () => reply("1234"));
    await replies.answer("t", first("b"), async () => reply("1234"));
    await replies.answer("u", first("c"), async () => reply("1234"));
    expect(replies.keptBytes).toBe(8);
    expect(textOf(await replies.answer("u", again("c"), never))).toBe("1234");
    expect(textOf(await replies.answer("s", again("a"), async () => reply("new")))).toBe("new");
  });

  test("keeps as many bytes as it may, and not one more", async () => {
    const replies = new RetainedReplies();
    const largest = { ...reply(""), body: new Uint8Array(retainedReplyBytesEachMax) };
    const count = retainedReplyBytesMax / retainedReplyBytesEachMax;
    for (let session = 0; session < count; session++) {
      await replies.answer(`${session}`, first("a"), async () => largest);
    }
    expect(replies.keptBytes).toBe(retainedReplyBytesMax);
    await replies.answer("one more", first("a"), async () => reply("1"));
    expect(replies.keptBytes).toBe(retainedReplyBytesMax - retainedReplyBytesEachMax + 1);
  });

  test("does not keep a reply that is too large, or a stream", async () => {
    const replies = new RetainedReplies();
    const large = { ...reply(""), body: new Uint8Array(retainedReplyBytesEachMax + 1) };
    await replies.answer("s", first("a"), async () => large);
    const streamed = {
      ...reply(""),
      body: { byteLength: null, chunks: (async function* () {})() },
    };
    await replies.answer("s", first("b"), async () => streamed);
    expect(replies.keptBytes).toBe(0);
    expect(textOf(await replies.answer("s", again("a"), async () => reply("new")))).toBe("new");
  });

  test("forgets a session, also one whose turn still runs", async () => {
    const replies = new RetainedReplies();
    await replies.answer("s", first("a"), async () => reply("one"));
    const attempts = new Attempts();
    const running = replies.answer("s", first("b"), attempts.start);
    replies.forget("s");
    attempts.started[0]?.resolve(reply("two"));
    expect(textOf(await running)).toBe("two");
    expect(replies.keptBytes).toBe(0);
    expect(textOf(await replies.answer("s", again("b"), async () => reply("new")))).toBe("new");
  });
});
