/**
 * Whole benchmarks at smoke size, with real servers: as a person runs them.
 */
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { descendantsOf, isAlive, processName } from "../../../bench/process/process-table.ts";
import { newestProfileResults } from "../../../bench/result/profile-result.ts";
import { readResults } from "../../../bench/result/round-result.ts";
import { newestStartupResult } from "../../../bench/result/startup-result.ts";
import { hangMs } from "../../harness/time-limit.ts";

const bench = join(import.meta.dir, "..", "..", "..", "bench");
const directories: string[] = [];

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

/** Starts a script of bench/ that leaves results and temporary files in a directory of its own. */
function start(script: "main.ts" | "compare.ts", words: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), "session-server-bench-test-"));
  directories.push(directory);
  const results = join(directory, "results");
  const child = Bun.spawn([process.execPath, join(bench, script), ...words, "--results", results], {
    env: { ...process.env, TMPDIR: directory },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const follow = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) text += decoder.decode(chunk, { stream: true });
  };
  const output = Promise.all([follow(child.stdout), follow(child.stderr)]).then(() => text);
  const temporaryFiles = () =>
    readdirSync(directory).filter((name) => name.startsWith("session-server-bench-"));
  return {
    child,
    output,
    outputSoFar: () => text,
    results: () => readResults(results),
    resultsDirectory: results,
    temporaryFiles,
  };
}

describe("bench smoke", () => {
  test(
    "measures 1 and 2 workers with the same bytes and gets the same replies",
    async () => {
      // Time to think makes a chat slower than the limit of the machine on any machine.
      const words = ["smoke", "--workers", "1,2", "--records", "after", "--think-ms", "500"];
      const run = start("main.ts", words);
      const output = await run.output;
      expect(`${output}\nexit code ${await run.child.exited}`).toEndWith("exit code 0");
      const results = run.results();
      expect(results.map((result) => result.target)).toEqual(["bun:1", "bun:2"]);
      for (const result of results) {
        const { phases, limits, limitsBefore, limitsAfter, workload, serverEnd } = result;
        const { memory, warmUp } = result;
        const rates = [limitsBefore, limitsAfter].map(({ socket }) => socket.bytesPerSecond);
        expect(limits.socket.bytesPerSecond).toBe(Math.max(...rates));
        expect(warmUp).toEqual([]);
        const [chats, records] = phases;
        expect(chats?.chat).toMatchObject({ count: 24, failures: {}, notAttempted: 0 });
        expect(chats?.use?.peakPssBytes).toBeGreaterThan(0);
        expect(records?.records).toMatchObject({ count: 4, failures: {} });
        expect(records?.records?.bytes).toBeGreaterThan(4 * workload.payloadCharacters);
        expect(limits.socket.turnsPerSecond).toBeGreaterThan(chats?.chat?.turnsPerSecond ?? 0);
        expect(memory.length).toBeGreaterThan(1);
        expect(serverEnd).toBeNull();
      }
      const names = results[1]?.phases[0]?.use?.processes.map((process) => process.name).sort();
      expect(names).toEqual(["router", "supervisor", "worker 1/2", "worker 2/2"]);
      expect(output).toContain("replies equal byte for byte");
      expect(run.temporaryFiles()).toEqual([]);
    },
    hangMs,
  );

  test(
    "reads the records of the warm-up's sessions while others chat, without GETs on both sides",
    async () => {
      const run = start("main.ts", ["smoke", "--records", "during", "--concurrent-gets", "2"]);
      const output = await run.output;
      expect(`${output}\nexit code ${await run.child.exited}`).toEndWith("exit code 0");
      const [result] = run.results();
      expect(result?.warmUp).toMatchObject([
        { chat: { count: 24, failures: {} }, records: { count: 4, failures: {} } },
      ]);
      expect(result?.phases.map(({ name, chat }) => [name, chat?.count])).toEqual([
        ["chats before GETs", 24],
        ["chats with GETs", 24],
        ["chats after GETs", 24],
      ]);
      expect(result?.phases.map(({ records }) => records !== null)).toEqual([false, true, false]);
      expect(output).toContain("chats with GETs against the mean of those before and after");
    },
    hangMs,
  );

  test(
    "takes the turns of the growth shape in step on a warm server",
    async () => {
      const words = ["growth", "--sessions", "2", "--turns", "55", "--rounds", "1"];
      const run = start("main.ts", [...words, "--warm-up-turns", "10", "--warm-up-passes", "2"]);
      const output = await run.output;
      expect(`${output}\nexit code ${await run.child.exited}`).toEndWith("exit code 0");
      const [result] = run.results();
      expect(result).toMatchObject({ advance: "in step", warmUp: [{ chat: { count: 20 } }, {}] });
      const chat = result?.phases[0]?.chat;
      expect(chat).toMatchObject({ count: 110, failures: {} });
      expect(chat?.medianMsByTurn).toHaveLength(55);
      expect(chat?.cpuMsByTurn.every((ms) => ms > 0)).toBe(true);
      expect(chat?.cpuMsByTurn).toHaveLength(55);
      expect(output).toContain("turn 50 / turn 10 (less than 1.5)");
    },
    hangMs,
  );

  test(
    "alternates the order of two servers",
    async () => {
      const words = ["bun:1", "bun:1@.", "smoke", "--rounds", "2", "--turns", "2"];
      const run = start("compare.ts", words);
      await run.output;
      expect(await run.child.exited).toBe(0);
      const order = run.results().map(({ target, round, position }) => [target, round, position]);
      expect(order).toEqual([
        ["bun:1", 0, 0],
        ["bun:1@.", 0, 1],
        ["bun:1@.", 1, 0],
        ["bun:1", 1, 1],
      ]);
    },
    hangMs,
  );
});

describe("a run that does not go well", () => {
  test(
    "stops every process on Ctrl-C and leaves neither results nor files",
    async () => {
      const words = ["smoke", "--workers", "2", "--turns", "20", "--think-ms", "500"];
      const run = start("main.ts", words);
      const server = await serverUnderLoad(run);
      const started = descendantsOf(run.child.pid);
      expect(started.length).toBeGreaterThan(5);
      run.child.kill("SIGINT");
      expect(await run.child.exited).toBe(130);
      expect(started.filter(({ pid, startTicks }) => isAlive(pid, startTicks))).toEqual([]);
      expect(isAlive(server.pid, server.startTicks)).toBe(false);
      expect(run.results()).toEqual([]);
      expect(run.temporaryFiles()).toEqual([]);
    },
    hangMs,
  );

  test(
    "counts what fails when the server dies, and says how it ended",
    async () => {
      const words = ["smoke", "--turns", "20", "--think-ms", "500"];
      const run = start("main.ts", words);
      const server = await serverUnderLoad(run);
      process.kill(server.pid, "SIGKILL");
      const output = await run.output;
      expect(await run.child.exited).toBe(1);
      const [result] = run.results();
      expect(result?.serverEnd).toContain("SIGKILL");
      const chat = result?.phases[0]?.chat;
      const failed = Object.values(chat?.failures ?? {}).reduce((sum, count) => sum + count, 0);
      expect(failed).toBe(4);
      expect((chat?.count ?? 0) + failed + (chat?.notAttempted ?? 0)).toBe(4 * 20);
      expect(output).toContain("server ended: signal SIGKILL");
    },
    hangMs,
  );

  test(
    "shows the last words of a server that does not start",
    async () => {
      const run = start("main.ts", ["smoke", "--server-flag=--no-such-flag"]);
      const output = await run.output;
      expect(await run.child.exited).toBe(1);
      expect(output).toContain("server bun:1 did not start");
      expect(output).toContain("--no-such-flag is unknown");
      expect(run.temporaryFiles()).toEqual([]);
    },
    hangMs,
  );

  test(
    "refuses words that it does not understand with one line",
    async () => {
      for (const [words, line] of [
        [["smok"], 'bench: shape "smok" is unknown'],
        [["smoke", "--rounds", "x"], "bench: --rounds x; expected"],
        [["smoke", "--records", "never"], "bench: --records never; expected"],
        [["smoke", "--sessions", "0"], "bench: --sessions 0; expected"],
        [["smoke", "--checkpoint", "/nowhere"], "bench: /nowhere has no tokenizer.json"],
        [["smoke", "--target", "executable@/nowhere"], 'bench: target "executable@/nowhere": '],
        [["startup", "--workers", "0"], "bench: --workers 0; expected"],
        [["startup", "--program", "node"], "bench: --program node; expected"],
        [["profile", "smoke", "--workers", "2"], "bench: --workers is not for a profile"],
        [["profile", "smok"], 'bench: shape "smok" is unknown'],
      ] as const) {
        const run = start("main.ts", words);
        const output = await run.output;
        expect(output).toStartWith(line);
        expect(output.trimEnd().split("\n")).toHaveLength(1);
        expect(await run.child.exited).toBe(2);
      }
    },
    hangMs,
  );
});

test(
  "bench profile keeps where the samples fell, and no times",
  async () => {
    const run = start("main.ts", ["profile", "smoke", "--turns", "60"]);
    const output = await run.output;
    expect(`${output}\nexit code ${await run.child.exited}`).toEndWith("exit code 0");
    expect(run.results()).toEqual([]);
    const [profile] = newestProfileResults(run.resultsDirectory);
    expect(profile?.turns).toBe(240);
    expect(profile?.samples).toBeGreaterThan(0);
    expect(profile?.functions.length).toBeGreaterThan(0);
    const parts = profile?.folders.map(({ part }) => part) ?? [];
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(1, 2);
    expect(run.temporaryFiles()).toEqual([]);
  },
  hangMs,
);

test(
  "bench startup times every kind of start",
  async () => {
    const run = start("main.ts", ["startup", "--workers", "1,2", "--rounds", "1"]);
    const output = await run.output;
    expect(`${output}\nexit code ${await run.child.exited}`).toEndWith("exit code 0");
    const { measurements = [] } = newestStartupResult(run.resultsDirectory) ?? {};
    expect(measurements.map(({ tokenizer, workers }) => [tokenizer, workers])).toEqual([
      ["demo", 1],
      ["demo", 2],
      ["Qwen3", 1],
      ["Qwen3", 2],
      ["Qwen3, by the library", 1],
    ]);
    for (const { listeningSeconds, healthySeconds, memoryBytes } of measurements) {
      expect(memoryBytes[0]).toBeGreaterThan(0);
      expect(listeningSeconds).toHaveLength(1);
      expect(healthySeconds[0]).toBeGreaterThanOrEqual(listeningSeconds[0] ?? Infinity);
    }
  },
  hangMs,
);

/** The first process of the server under test, once the chats of the run have begun. */
async function serverUnderLoad(run: ReturnType<typeof start>) {
  while (!run.outputSoFar().includes(": chats\n")) {
    if (run.child.exitCode !== null) throw new Error(`it ended before: ${await run.output}`);
    await Bun.sleep(5);
  }
  const own = descendantsOf(run.child.pid).filter(({ parentPid }) => parentPid === run.child.pid);
  const server = own.find(({ pid }) => processName(pid) === "supervisor");
  if (server === undefined) throw new Error(`no server: ${run.outputSoFar()}`);
  return server;
}
