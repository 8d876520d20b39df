import { expect, test } from "bun:test";
import { join } from "node:path";
import { failureLinesPerSecond } from "../../src/limits.ts";

/** Runs `script` in a process of its own, since the log is one per process. */
async function logOf(level: string, script: string): Promise<Record<string, unknown>[]> {
  const source = join(import.meta.dir, "..", "..", "src");
  const program = `
    import { configureLog } from ${JSON.stringify(join(source, "log.ts"))};
    import { OperationLog } from ${JSON.stringify(join(source, "core", "operation-log.ts"))};
    configureLog("worker 1/2", ${JSON.stringify(level)}, "json");
    const chat = { kind: "chat_completions", sessionId: "s", method: "POST", query: "", headers: [] };
    ${script}`;
  const child = Bun.spawn([process.execPath, "-e", program], { stderr: "pipe" });
  const text = await new Response(child.stderr).text();
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const always = { time: expect.any(String), process: "worker 1/2", durationMs: expect.any(Number) };

test("OperationLog writes one line an operation at debug", async () => {
  const script = `
    new OperationLog(chat).end(200);
    new OperationLog({ kind: "health" }).end(200);
    new OperationLog({ ...chat, kind: "proxy", path: "v1/models" }).end(204);`;
  expect(await logOf("debug", script)).toEqual([
    { ...always, level: "debug", message: "chat_completions", session: "s", status: 200 },
    { ...always, level: "debug", message: "health", status: 200 },
    {
      ...always,
      level: "debug",
      message: "proxy",
      session: "s",
      path: "v1/models",
      status: 204,
    },
  ]);
  expect(await logOf("info", script)).toEqual([]);
});

test("OperationLog says of a failure how far it came, and why", async () => {
  const script = `
    const log = new OperationLog(chat);
    log.enter("prepare");
    log.enter("ask");
    log.end(502, "backend transport error: x");
    new OperationLog({ kind: "get_session", sessionId: "gone" }).end(404, "session not found");
    const refused = new OperationLog(chat);
    refused.enter("ask");
    refused.refused("Not Found");
    refused.end(404);`;
  expect(await logOf("warn", script)).toEqual([
    {
      ...always,
      level: "warn",
      message: "chat_completions failed",
      session: "s",
      status: 502,
      phase: "ask",
      reason: "backend transport error: x",
    },
    {
      ...always,
      level: "warn",
      message: "get_session failed",
      session: "gone",
      status: 404,
      reason: "session not found",
    },
    {
      ...always,
      level: "warn",
      message: "chat_completions failed",
      session: "s",
      status: 404,
      phase: "ask",
      reason: "Not Found",
    },
  ]);
});

test("OperationLog warns of a turn that was answered but not stored", async () => {
  const script = `
    const log = new OperationLog(chat);
    log.notStored("the session was deleted during the turn");
    log.end(200);`;
  expect(await logOf("warn", script)).toEqual([
    {
      ...always,
      level: "warn",
      message: "chat_completions answered but not stored",
      session: "s",
      status: 200,
      reason: "the session was deleted during the turn",
    },
  ]);
});

test("OperationLog does not flood: a thousand failures are a few lines and a count", async () => {
  const script = `
    const write = process.stderr.write.bind(process.stderr);
    process.stderr.write = (text) => {
      write(text);
      if (text.includes("more requests failed than are logged")) process.exit();
      return true;
    };
    setInterval(() => {}, 60_000);
    for (let index = 0; index < 1000; index++) new OperationLog(chat).end(502);`;
  const entries = await logOf("warn", script);
  // By their own times: a process that is stalled has more seconds to write lines in.
  const times = entries.map((entry) => Date.parse(String(entry["time"])));
  const seconds = (Math.max(...times) - Math.min(...times)) / 1_000;
  expect(entries.length).toBeLessThan(failureLinesPerSecond * (seconds + 2));
  const heldBack = entries.reduce((sum, entry) => sum + Number(entry["heldBack"] ?? 0), 0);
  const lines = entries.filter((entry) => entry["status"] === 502).length;
  expect(lines + heldBack).toBe(1000);
});

test("OperationLog warns of what went well and lost something, in one line", async () => {
  const script = `
    const log = new OperationLog(chat);
    log.warn("did this", { turn: "t", reason: "because" });
    log.warn("did that", { tools: "added a" });
    log.end(200);
    const retry = new OperationLog(chat);
    retry.retried("t");
    retry.end(200);`;
  const warning = {
    ...{ ...always, level: "warn", session: "s", status: 200 },
    ...{ message: "chat_completions did this, and did that" },
    ...{ turn: "t", reason: "because", tools: "added a" },
  };
  const debug = { ...always, level: "debug", message: "chat_completions", session: "s" };
  expect(await logOf("debug", script)).toEqual([warning, { ...debug, status: 200, retryOf: "t" }]);
  expect(await logOf("warn", script)).toEqual([warning]);
});
