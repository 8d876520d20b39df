import { describe, expect, test } from "bun:test";
import { parseJson } from "../../src/json/lossless.ts";
import { readRequestDocument } from "../../src/json/request-object.ts";
import type { JsonObject } from "../../src/json/values.ts";
import { ReplayedMessages } from "../../src/trajectory/replayed-messages.ts";

/** Parses a request as the server does; gives its messages and how many segments it repeated. */
function replay(replayed: ReplayedMessages, stored: readonly JsonObject[], messages: string) {
  const known = replayed.known(stored);
  const body = Buffer.from(`{"messages" : ${messages}}`);
  const { object, text, members } = readRequestDocument(body, body.length, known);
  return {
    values: object.get("messages") as JsonObject[],
    matched: known.matchedSegments,
    /** What the request adds to the text that it repeats. */
    added: text.slice((members[0]?.valueStart ?? 0) + 1, members[0]?.end),
  };
}

const a = '{"role":"user","content":"a"}';
const b = '{"role":"assistant","content":"b"}';
const c = '{"role":"user","content":"c"}';

describe("ReplayedMessages", () => {
  test("knows nothing at first", () => {
    const replayed = new ReplayedMessages();
    expect(replay(replayed, [], `[${a}]`).matched).toBe(0);
  });

  test("recognises the text of stored turns, with the client's white space", () => {
    const replayed = new ReplayedMessages();
    const first = replay(replayed, [], `[${a} ]`);
    replayed.commit(`[${a} ]`, first.matched, 1);
    const stored = [...first.values, parseJson(b) as JsonObject];
    const second = replay(replayed, stored, `[${a}, ${b}, ${c}]`);
    expect(second.matched).toBe(1);
    expect(second.values[0]).toBe(stored[0] as JsonObject);
    expect(second.values).toHaveLength(3);
    expect(second.added).toBe(`, ${b}, ${c}]`);
    replayed.commit(second.added, second.matched, 3);
    const third = replay(replayed, second.values, `[${a}, ${b}, ${c},${b}]`);
    expect(third.matched).toBe(2);
    expect(third.values[2]).toBe(second.values[2] as JsonObject);
    expect(third.values).toHaveLength(4);
  });

  test("an exact repetition matches everything and adds no segment", () => {
    const replayed = new ReplayedMessages();
    replayed.commit(`[${a}]`, 0, 1);
    const again = replay(replayed, [parseJson(a) as JsonObject], `[${a}]`);
    expect([again.matched, again.values.length]).toEqual([1, 1]);
    replayed.commit(again.added, 1, 1);
    expect(replayed.known([]).segments).toHaveLength(1);
  });

  test("forgets the segments after the one where a request leaves them", () => {
    const replayed = new ReplayedMessages();
    replayed.commit(`[${a}]`, 0, 1);
    replayed.commit(`,${b},${c}]`, 1, 3);
    const retry = replay(replayed, [], `[${a},${c}]`);
    expect(retry.matched).toBe(1);
    replayed.commit(retry.added, retry.matched, 2);
    const { bytes, segments } = replayed.known([]);
    expect(Buffer.from(bytes).toString()).toBe(`[${a},${c}`);
    expect(segments).toEqual([
      { end: `[${a}`.length, itemCount: 1 },
      { end: `[${a},${c}`.length, itemCount: 2 },
    ]);
  });

  test("a text that only starts like a stored message is not taken for it", () => {
    const replayed = new ReplayedMessages();
    replayed.commit(`[${a}]`, 0, 1);
    const other = replay(replayed, [parseJson(a) as JsonObject], `[${a.slice(0, -1)},"x":1}]`);
    expect(other.matched).toBe(0);
    expect(other.values[0]?.get("x")).toBe(1);
  });

  test("what follows a known text must be JSON", () => {
    const replayed = new ReplayedMessages();
    replayed.commit(`[${a}]`, 0, 1);
    for (const tail of ["", "}", "x]", ",]", '"]']) {
      expect(() => replay(replayed, [], `[${a}${tail}`)).toThrow();
    }
  });
});
