import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { MismatchReports } from "../../src/core/mismatch-reports.ts";
import { eventLoopTurn } from "../../src/event-loop.ts";
import { configureLog } from "../../src/log.ts";
import type { TitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { Session } from "../../src/trajectory/session.ts";
import { parseSessionSettings } from "../../src/trajectory/session-settings.ts";
import { qwen3Tokenizer } from "./fake-server.ts";

configureLog("test", "silent");

let tito: TitoTokenizer;
let session: Session;

beforeAll(async () => {
  tito = await qwen3Tokenizer();
});

beforeEach(() => {
  session = new Session("s", parseSessionSettings(new Uint8Array(0)), tito.maxTrimTokens);
});

const message = (role: string, content: string) =>
  new Map([
    ["role", role],
    ["content", content],
  ]);

/** Stores a turn: a question and a reply whose ids are those of its text. */
async function storeTurn(question: string, reply = "one"): Promise<void> {
  const { trajectory } = session;
  const request = [...trajectory.messages, message("user", question)];
  const plan = trajectory.plan(request, () => true, tito.allowedAppendRoles);
  const options = { addGenerationPrompt: false };
  const assistantMessage = message("assistant", reply);
  const rendered = await tito.renderPrompt([...request, assistantMessage], null, options);
  trajectory.commit(plan, {
    dropLast: 0,
    tokens: rendered.slice(trajectory.tokens.latestLength),
    assistantMessage,
    tools: { text: "", value: null },
    messagesText: "[]",
    matchedSegments: 0,
  });
}

/** The tokenizer with a count of its renders, and another comparison when one is given. */
function watched(compare: TitoTokenizer["compare"] = (...ids) => tito.compare(...ids)) {
  const seen = { renders: 0 };
  const watching: TitoTokenizer = {
    allowedAppendRoles: tito.allowedAppendRoles,
    maxTrimTokens: tito.maxTrimTokens,
    chatTemplateKwargs: tito.chatTemplateKwargs,
    withRequestKwargs: () => watching,
    appendTokens: (...parameters) => tito.appendTokens(...parameters),
    compare,
    renderPrompt: (...parameters) => {
      seen.renders += 1;
      return tito.renderPrompt(...parameters);
    },
  };
  return { watching, seen };
}

describe("MismatchReports", () => {
  test("of a session without turns is none", async () => {
    expect(await new MismatchReports(tito).of(session)).toBeNull();
  });

  test("is made once for each state of a session", async () => {
    const { watching, seen } = watched();
    const reports = new MismatchReports(watching);
    await storeTurn("a");
    const both = await Promise.all([reports.of(session), reports.of(session)]);
    expect(both).toEqual([[], []]);
    expect(await reports.of(session)).toEqual([]);
    expect(seen.renders).toBe(1);
    await storeTurn("b");
    expect(await reports.of(session)).toEqual([]);
    expect(seen.renders).toBe(2);
  });

  test("is that of the moment when it was asked for", async () => {
    const reports = new MismatchReports(tito);
    await storeTurn("a".repeat(100_000));
    const asked = reports.of(session);
    await eventLoopTurn();
    await storeTurn("b");
    expect(await asked).toEqual([]);
    expect(await reports.of(session)).toEqual([]);
  });

  test("is made again after a bug", async () => {
    await storeTurn("a");
    let failures = 0;
    const { watching } = watched((...ids) => {
      failures += 1;
      return failures === 1 ? Promise.reject(new TypeError("a bug")) : tito.compare(...ids);
    });
    const reports = new MismatchReports(watching);
    await expect(reports.of(session)).rejects.toThrow("a bug");
    expect(await reports.of(session)).toEqual([]);
  });

  test("is made in turns with the rest of the process, the longer it takes the more", async () => {
    const turnsFor = async (characters: number): Promise<number> => {
      await storeTurn("word\n".repeat(characters / 5));
      let turns = 0;
      let isMade = false;
      const count = (): void => {
        turns += 1;
        if (!isMade) setImmediate(count);
      };
      setImmediate(count);
      await new MismatchReports(tito).of(session);
      isMade = true;
      return turns;
    };
    const ofShort = await turnsFor(100);
    const ofLong = await turnsFor(1_000_000);
    // A turn each are texts of some 8 Ki characters.
    expect(ofLong - ofShort).toBeGreaterThan(1_000_000 / 8_192 / 2);
  });
});
