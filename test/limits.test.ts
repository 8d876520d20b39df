/**
 * Every limit is documented with its value, and has a test that stands at the bound and one past it;
 * of times, what happens when they are over.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as limits from "../src/limits.ts";
import { documentedTable } from "./guarantees/documented-table.ts";

describe("limits", () => {
  test("are positive whole numbers", () => {
    for (const [name, value] of Object.entries(limits)) {
      expect([name, Number.isSafeInteger(value) && value > 0]).toEqual([name, true]);
    }
  });

  test("take a request body of one GiB", () => {
    expect(limits.requestBodyBytesMax).toBeGreaterThanOrEqual(2 ** 30);
    expect(limits.chatBodyBytesMax).toBeGreaterThanOrEqual(2 ** 30);
  });
});

describe("docs/guarantees.md", () => {
  const rows = documentedTable("docs/guarantees.md", "bound");

  test("lists every limit with its value, and no other", () => {
    const documented = rows.map(([name = "", value = ""]) => [name.replaceAll("`", ""), value]);
    const there = Object.entries(limits).map(([name, value]) => [name, written(name, value)]);
    expect(documented.toSorted()).toEqual(there.toSorted());
  });

  test("says of each what happens beyond it", () => {
    for (const row of rows) {
      expect(row).toHaveLength(3);
      expect((row[2] ?? "").length).toBeGreaterThanOrEqual("400".length);
    }
  });
});

/** A value as a reader likes it: bytes and milliseconds in the largest unit that they fill. */
function written(name: string, value: number): string {
  if (/Ms$/.test(name)) return value % 1_000 === 0 ? `${value / 1_000} s` : `${value} ms`;
  if (!/Bytes/.test(name)) return value.toLocaleString("en-US");
  const units = ["bytes", "KiB", "MiB", "GiB"];
  let unit = 0;
  let amount = value;
  while (amount % 1_024 === 0 && unit + 1 < units.length) {
    amount /= 1_024;
    unit += 1;
  }
  return `${amount} ${units[unit]}`;
}

/** File and title of the test of each limit. */
const testedBy: Readonly<Record<string, readonly [file: string, title: string]>> = {
  requestBodyBytesMax: ["guarantees/limits", "a body of so many bytes is asked for, one of a byte"],
  chatBodyBytesMax: ["guarantees/limits", "a chat request of so many bytes is read, one of a byte"],
  sessionSettingsBytesMax: ["trajectory/session-settings", "no UTF-8, and too many of them"],
  retainedReplyBytesMax: [
    "core/retained-replies",
    "keeps as many bytes as it may, and not one more",
  ],
  retainedReplyBytesEachMax: ["core/retained-replies", "does not keep a reply that is too large"],
  retainedTurnsMax: ["core/retained-replies", "keeps the latest turns of a session only"],
  sessionPageMax: ["session-list", "refuses %j"],
  idempotencyKeyCharactersMax: ["core/request-mark", "unless it is empty or too long"],
  authTokenCharactersMax: ["cli/command-line", "never shows a token that it refuses"],
  recordsTicketMs: ["http/records-ticket", "until it expires, and not a millisecond longer"],
  frameBytesMax: ["ipc/frame", "takes the largest frame and refuses one byte more"],
  inlineReplyBytesMax: [
    "ipc/operation-server",
    "bytes as bytes, on both sides of the inline limit",
  ],
  laneReadAheadBytes: ["ipc/lane-receiver", "pauses when it holds more than it reads ahead"],
  laneClaimMs: ["guarantees/limits", "a body that is not claimed is held for so long"],
  streamSliceBytes: ["records/dump", "no slice is larger than a stream takes"],
  jsonNestingMax: ["guarantees/limits", "a request nested so deep is read, one level more is not"],
  integerDigitsMax: ["json/lossless", "integers of more digits than Python converts"],
  pathDecodingsMax: ["http/backend-path", "a path is read that so many decodings leave as it is"],
  backendHeaderBytesMax: [
    "upstream/http1/header-block",
    "takes a block of the largest size and none",
  ],
  backendHeaderCountMax: ["upstream/http1/response-head", "headers and no more"],
  chunkExtensionBytesMax: ["upstream/http1/chunked-body", "skips an extension of"],
  backendReadAheadBytes: ["upstream/http1/response-body", "reads on below"],
  backendIdleMs: ["upstream/http1/connection-pool", "keeps an idle connection for backendIdleMs"],
  backendProbeMs: ["upstream/http1/connection", "is probed after backendProbeMs of silence"],
  malformedCharactersQuoted: ["upstream/http1/malformed-response", "quotes what came, escaped"],
  refusalCharactersQuoted: ["core/backend-refusal", "finds the sentence of %j"],
  refusalCharactersLogged: ["core/refusal-beginning", "quotes of %d characters"],
  hubRedirectsMax: ["checkpoint-hub/hub-client", "follows hubRedirectsMax redirects and no more"],
  hubFailuresMax: ["checkpoint-hub/blob-download", "gives up where connections end without a word"],
  tokenIdMax: ["tokenizer/byte-level-bpe/vocabulary", "and ids beyond the bound"],
  templateIterationsMax: ["chat-template/limits", "iterations of all loops together"],
  templateTextUnitsMax: ["chat-template/limits", "a string of 64 Mi units"],
  templateListItemsMax: ["chat-template/limits", "a list of 10,000,000 items"],
  templateCallDepthMax: ["chat-template/limits", "200 macro calls inside each other"],
  templateIntegerBitsMax: ["chat-template/limits", "an integer of 65,536 bits"],
  excerptCharactersMax: [
    "trajectory/history-rewrite",
    "quotes of long texts only where they begin to differ",
  ],
  toolNamesLogged: ["core/tools-change", "of %d names the log counts some: %p"],
  templateRangeItemsMax: ["chat-template/limits", "a range of 100,000 items"],
  templatePrecisionMax: ["chat-template/limits", "99 digits after the point"],
  socketPathBytesMax: ["ipc/unix-socket", "takes a path of 107 bytes and asserts against 108"],
  workerCountMax: ["sharding", "refuses worker counts that are none"],
  rollbackTurnsMax: ["guarantees/limits", "can be taken back at once, one more cannot"],
  unknownRolesMax: [
    "core/rendered-roles",
    "takes unknownRolesMax roles, and refuses one more before any is rendered",
  ],
  childReadyMs: ["lifecycle/child", "gets childReadyMs to be ready when nobody says otherwise"],
  stopGraceMs: ["guarantees/stopping", "a busy worker is killed when it is over"],
  failureGraceMs: ["lifecycle/child-group", "a group that has failed gets failureGraceMs instead"],
  groupSignalMs: ["lifecycle/child-group", "a signal that reaches a child groupSignalMs before us"],
  openFilesMin: ["lifecycle/start-warnings", "advises more open files below the minimum"],
  processGraceMs: [
    "lifecycle/child-group",
    "all stages share graceMs, and each has processGraceMs",
  ],
  stopDrainMs: ["lifecycle/life-as-child", "stops on SIGTERM with its drain time"],
  channelLossMs: ["router/main", "a dead worker: 503 for its sessions and for health"],
  failureLinesPerSecond: ["guarantees/limits", "so many lines of one moment are written, one more"],
  stderrAfterEndMs: ["lifecycle/child", "has ended all the same, after stderrAfterEndMs"],
  lastWordsBytes: [
    "lifecycle/last-words",
    "keeps a bounded tail of a child that talks without end",
  ],
};

test("every limit has a test", () => {
  expect(Object.keys(testedBy).toSorted()).toEqual(Object.keys(limits).toSorted());
});

/** Source of the one test of a file whose title contains this text, its table included. */
function testSource(file: string, title: string): string {
  const text = readFileSync(join(import.meta.dir, `${file}.test.ts`), "utf8");
  const tests = text.split(/^(?=\s*test\b)/m).filter((each) => /^\s*test\b/.test(each));
  const found = tests.filter((each) => each.includes(title));
  expect([file, title, found.length]).toEqual([file, title, 1]);
  return found[0] ?? "";
}

test.each(Object.entries(testedBy))("%s is what its test looks at", (name, [file, title]) => {
  const source = testSource(file, title);
  expect(source).toMatch(new RegExp(`\\b${name}\\b`));
  if (name.endsWith("Ms")) return;
  // At the bound and past it: two things are expected, or a table of cases.
  const expectations = source.match(/\bexpect\(/g)?.length ?? 0;
  expect(expectations >= 2 || /^\s*test\.each/.test(source)).toBe(true);
});
