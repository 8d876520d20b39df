import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as limits from "../src/limits.ts";

test("every limit is a positive whole number", () => {
  for (const [name, value] of Object.entries(limits)) {
    expect([name, Number.isSafeInteger(value) && value > 0]).toEqual([name, true]);
  }
});

test("a request body of one GiB is accepted", () => {
  expect(limits.requestBodyBytesMax).toBeGreaterThanOrEqual(2 ** 30);
  expect(limits.chatBodyBytesMax).toBeGreaterThanOrEqual(2 ** 30);
});

/** Where the bound of each limit is tested, and one past it; of times, what happens when they are over. */
const testedIn: Readonly<Record<keyof typeof limits, string>> = {
  requestBodyBytesMax: "guarantees/limits.test.ts",
  chatBodyBytesMax: "guarantees/limits.test.ts",
  sessionSettingsBytesMax: "trajectory/session-settings.test.ts",
  retainedReplyBytesMax: "core/retained-replies.test.ts",
  retainedReplyBytesEachMax: "core/retained-replies.test.ts",
  retainedTurnsMax: "core/retained-replies.test.ts",
  sessionPageMax: "session-list.test.ts",
  idempotencyKeyCharactersMax: "core/request-mark.test.ts",
  authTokenCharactersMax: "cli/command-line.test.ts",
  frameBytesMax: "ipc/frame.test.ts",
  inlineReplyBytesMax: "ipc/operation-server.test.ts",
  laneReadAheadBytes: "ipc/lane-receiver.test.ts",
  laneClaimMs: "guarantees/limits.test.ts",
  streamSliceBytes: "records/dump.test.ts",
  jsonNestingMax: "guarantees/limits.test.ts",
  socketPathBytesMax: "ipc/unix-socket.test.ts",
  workerCountMax: "sharding.test.ts",
  rollbackTurnsMax: "guarantees/limits.test.ts",
  childReadyMs: "lifecycle/child-group.test.ts",
  stopGraceMs: "guarantees/stopping.test.ts",
  failureGraceMs: "lifecycle/child-group.test.ts",
  groupSignalMs: "lifecycle/child-group.test.ts",
  openFilesMin: "cli/start-warnings.test.ts",
  processGraceMs: "lifecycle/child-group.test.ts",
  stopDrainMs: "lifecycle/life-as-child.test.ts",
  channelLossMs: "router/main.test.ts",
  failureLinesPerSecond: "guarantees/limits.test.ts",
  lastWordsBytes: "lifecycle/last-words.test.ts",
};

/** Tests that set a smaller value than the real one call it so. */
const alias: Readonly<Record<string, string>> = { childReadyMs: "readyMs" };

test("every limit has a test that knows it by name", () => {
  expect(Object.keys(testedIn).sort()).toEqual(Object.keys(limits).sort());
  const strangers = Object.entries(testedIn).filter(
    ([name, path]) =>
      !readFileSync(join(import.meta.dir, path), "utf8").includes(alias[name] ?? name),
  );
  expect(strangers).toEqual([]);
});
