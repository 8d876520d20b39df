import { beforeAll, describe, expect, test } from "bun:test";
import { EarlyStream } from "../../src/core/early-stream.ts";
import { UpstreamError } from "../../src/errors.ts";
import { configureLog } from "../../src/log.ts";
import { jsonReply, type Reply, type TurnKind } from "../../src/operation.ts";
import { eventStreamReply } from "../../src/protocols/event-stream.ts";
import type { WaitingEvents } from "../../src/protocols/waiting-events.ts";
import type { StreamBody } from "../../src/stream-body.ts";
import type { TitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { FakeServer, json, qwen3Tokenizer, text } from "./fake-server.ts";

configureLog("test", "silent");

const soon = { streamKeepAliveMs: 1 };
const late = { streamKeepAliveMs: 3_600_000 };

let tito: TitoTokenizer;

beforeAll(async () => {
  tito = await qwen3Tokenizer();
});

const messages = [{ role: "user", content: "a" }];
const requests: readonly [kind: TurnKind, request: object, keepAlive: string, ended: string][] = [
  ["chat_completions", { messages }, ": keep-alive\n\n", "data: [DONE]\n\n"],
  ["messages", { messages, max_tokens: 5 }, "event: ping\ndata: ", "event: message_stop\n"],
  ["responses", { input: "a" }, "event: response.in_progress\n", "event: response.completed\n"],
];

function streamOf(reply: Reply): AsyncIterator<Uint8Array> {
  expect(reply.status).toBe(200);
  expect(reply.headers[0]).toEqual(["content-type", "text/event-stream; charset=utf-8"]);
  return (reply.body as StreamBody).chunks[Symbol.asyncIterator]();
}

async function nextText(stream: AsyncIterator<Uint8Array>): Promise<string> {
  const { done, value } = await stream.next();
  return done === true ? "" : Buffer.from(value).toString();
}

async function restOf(stream: AsyncIterator<Uint8Array>): Promise<string> {
  let rest = "";
  for (let slice = await nextText(stream); slice !== ""; slice = await nextText(stream)) {
    rest += slice;
  }
  return rest;
}

/** Events without what repeats itself, and without names and times. */
function comparable(events: string): string[] {
  const different = events.split("\n\n").filter((event, index, all) => event !== all[index - 1]);
  return different
    .filter((event) => !/^(: keep-alive|event: ping)/.test(event))
    .map((event) => event.replace(/"(created_at|created)":\d+/g, "").replace(/[0-9a-f]{32}/g, ""));
}

describe.each(requests)("%s", (kind, request, keepAlive, ended) => {
  const ask = (server: FakeServer, more: object = {}, again = false) =>
    server.ask(
      kind,
      "s",
      { ...request, stream: true, ...more },
      again ? [["x-stainless-retry-count", "1"]] : [],
    );

  test("begins before the reply is there, lives, and ends as ever", async () => {
    const server = new FakeServer(tito, {}, soon);
    await server.create("s");
    const stream = streamOf(await ask(server));
    const opening = await nextText(stream);
    const signs = [await nextText(stream), await nextText(stream)];
    expect(opening.endsWith(signs[0] ?? "no sign")).toBe(true);
    expect(signs[0]).toStartWith(keepAlive);
    expect(signs[1]).toBe(signs[0] ?? "");
    (await server.upstream.next()).generate("one");
    const whole = opening + (await restOf(stream));
    expect(whole).toContain(ended);
    expect((await server.dump("s")).records).toHaveLength(1);

    const patient = new FakeServer(tito, {}, late);
    await patient.create("s");
    const reply = ask(patient);
    (await patient.upstream.next()).generate("one");
    expect(comparable(whole)).toEqual(comparable(await text(await reply)));
  });

  test("a reply in time is one body, an error in time has its status", async () => {
    const server = new FakeServer(tito, {}, late);
    await server.create("s");
    const reply = ask(server);
    (await server.upstream.next()).generate("one");
    expect((await reply).body).toBeInstanceOf(Uint8Array);
    const failing = ask(server);
    (await server.upstream.next()).fail(new UpstreamError("backend transport error: x"));
    expect((await failing).status).toBe(502);
    expect((await ask(server, { tools: "none" })).status).toBe(400);
  });

  test.each([
    ["a failure", "backend transport error: x", 502],
    ["a refusal of the backend", "too long", 400],
  ])(
    "%s behind the beginning is an event, and the session as it was",
    async (_, sentence, status) => {
      const server = new FakeServer(tito, {}, soon);
      await server.create("s");
      const stream = streamOf(await ask(server));
      const opening = await nextText(stream);
      const pending = await server.upstream.next();
      if (status === 502) pending.fail(new UpstreamError(sentence));
      else pending.answer(status, JSON.stringify({ error: { message: sentence } }));
      const rest = await restOf(stream);
      expect(rest).toContain(sentence);
      expect(opening + rest).not.toContain(ended);
      expect((await server.dump("s")).records).toEqual([]);
    },
  );

  test("a client that leaves ends its stream, not the turn", async () => {
    const server = new FakeServer(tito, {}, soon);
    await server.create("s");
    const stream = streamOf(await ask(server));
    await nextText(stream);
    const waiting = stream.next();
    await stream.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    (await server.upstream.next()).generate("one");
    const repeated = await ask(server, {}, true);
    expect(await text(repeated)).toContain(ended);
    expect((await server.dump("s")).records).toHaveLength(1);
  });

  test("a repetition that joins a running turn gets the same", async () => {
    const server = new FakeServer(tito, {}, soon);
    await server.create("s");
    const first = streamOf(await ask(server));
    const second = streamOf(await ask(server, {}, true));
    const openings = [await nextText(first), await nextText(second)];
    expect(openings[1]).toBe(openings[0] ?? "");
    (await server.upstream.next()).generate("one");
    const rests = [await restOf(first), await restOf(second)].map(comparable);
    expect(rests[1]).toEqual(rests[0] ?? []);
    expect(server.upstream.unanswered).toBe(0);
  });

  test("a repetition whose turn fails goes on under the name that it began with", async () => {
    const server = new FakeServer(tito, {}, soon);
    await server.create("s");
    const first = streamOf(await ask(server));
    const second = streamOf(await ask(server, {}, true));
    const opening = await nextText(second);
    (await server.upstream.next()).fail(new UpstreamError("backend transport error: x"));
    expect(await restOf(first)).toContain("backend transport error: x");
    (await server.upstream.next()).generate("one");
    const whole = opening + (await restOf(second));
    expect(whole).toContain(ended);
    expect(new Set(whole.match(/[0-9a-f]{32}/g)).size).toBeLessThan(2);
  });

  test("a client that takes no events waits for its reply", async () => {
    const server = new FakeServer(tito, {}, soon);
    await server.create("s");
    await server.create("t");
    const whole = server.ask(kind, "s", request);
    const pending = await server.upstream.next();
    // The stream that began later has begun meanwhile.
    await nextText(streamOf(await server.ask(kind, "t", { ...request, stream: true })));
    pending.generate("one");
    expect(await json(await whole)).toBeObject();
  });
});

describe("EarlyStream", () => {
  const events: WaitingEvents = {
    ...{ opening: "o\n\n", keepAlive: "k\n\n", eventsInOpening: 1 },
    failure: (status, sentence) => `${status} ${sentence}`,
  };

  test("never begins early where the interval is 0", async () => {
    const [never, control] = [new EarlyStream(0), new EarlyStream(1)];
    const turn = Promise.withResolvers<Reply>();
    const replies = [never, control].map((early) => early.answerWith(turn.promise));
    for (const early of [never, control]) early.onWaiting(() => events);
    streamOf((await replies[1]) as Reply);
    const reply = jsonReply(200, {});
    turn.resolve(reply);
    expect(await replies[0]).toBe(reply);
  });

  test("makes no events for a reply that is there in time", async () => {
    const early = new EarlyStream(3_600_000);
    const turn = Promise.withResolvers<Reply>();
    const answer = early.answerWith(turn.promise);
    let made = 0;
    early.onWaiting(() => {
      made += 1;
      return events;
    });
    turn.resolve(jsonReply(200, {}));
    await answer;
    expect(made).toBe(0);
  });

  test("does not begin once the turn has answered", async () => {
    const early = new EarlyStream(1);
    const reply = eventStreamReply(200, "o\n\nx\n\n");
    const answer = early.answerWith(Promise.resolve(reply));
    expect(await answer).toBe(reply);
    early.onWaiting(() => events);
    expect(await answer).toBe(reply);
  });

  test("ends a stream whose turn rejects, which is a bug", async () => {
    configureLog("test", "silent");
    const early = new EarlyStream(1);
    const turn = Promise.withResolvers<Reply>();
    const answer = early.answerWith(turn.promise);
    early.onWaiting(() => events);
    const stream = streamOf(await answer);
    expect(await nextText(stream)).toBe("o\n\n");
    turn.reject(new Error("x"));
    expect(await restOf(stream)).toEndWith("500 internal error: x");
  });
});
