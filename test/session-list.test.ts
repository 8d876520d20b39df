import { describe, expect, test } from "bun:test";
import { InvalidRequestError } from "../src/errors.ts";
import { sessionPageMax } from "../src/limits.ts";
import {
  compareIds,
  mergePages,
  readPageQuery,
  type SessionEntry,
  type SessionPage,
} from "../src/session-list.ts";

function entry(session_id: string, worker: number): SessionEntry {
  return {
    ...{ session_id, worker, state: "idle", turns: 0, tokens: 0, bytes: 0 },
    ...{ turns_taken_back: 0, turns_rewritten: 0, turns_not_stored: 0 },
    ...{ created_at: 0, age_seconds: 0 },
  };
}

function page(worker: number, ids: string[], more: Partial<SessionPage> = {}): SessionPage {
  const sessions = ids.map((id) => entry(id, worker));
  return { sessions, total: ids.length, next_after: null, ...more };
}

describe("readPageQuery()", () => {
  test.each([
    ["", 100, null],
    ["limit=7", 7, null],
    ["after=a%20b&limit=1", 1, "a b"],
    [`limit=${sessionPageMax}`, sessionPageMax, null],
  ])("%j", (query, limit, after) => {
    expect(readPageQuery(query)).toEqual({ kind: "list_sessions", limit, after });
  });

  test.each([
    ["limit=0", /^limit must be a whole number from 1 to /],
    [`limit=${sessionPageMax + 1}`, /^limit must be/],
    ["limit=", /^limit must be/],
    ["limit=ten", /^limit must be/],
    ["page=2", 'unknown parameter "page": the list takes limit and after'],
  ])("refuses %j", (query, sentence) => {
    expect(() => readPageQuery(query)).toThrow(InvalidRequestError);
    expect(() => readPageQuery(query)).toThrow(sentence);
  });
});

describe("mergePages()", () => {
  test("puts sessions of all workers in the order of their ids", () => {
    const merged = mergePages([page(0, ["a", "d"]), page(1, ["b", "c"]), page(2, [])], 10);
    expect(merged.sessions.map(({ session_id, worker }) => `${session_id}${worker}`)).toEqual([
      "a0",
      "b1",
      "c1",
      "d0",
    ]);
    expect([merged.total, merged.next_after]).toEqual([4, null]);
  });

  test("goes on after the last id of a page that is not the last", () => {
    const cut = mergePages([page(0, ["a", "d"]), page(1, ["b", "c"])], 3);
    expect([cut.sessions.length, cut.next_after]).toEqual([3, "c"]);
    const first = page(0, ["a", "b"], { total: 9, next_after: "b" });
    const more = mergePages([first, page(1, [])], 2);
    expect([more.total, more.next_after]).toEqual([9, "b"]);
  });
});

test("compareIds() orders as sort() does", () => {
  const ids = ["b", "a", "0", "B", "aa", ""];
  expect([...ids].sort(compareIds)).toEqual([...ids].sort());
});
