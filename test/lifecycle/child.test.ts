import { describe, expect, spyOn, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Child, type ChildEnd, endError } from "../../src/lifecycle/child.ts";
import { childReadyMs, stderrAfterEndMs } from "../../src/limits.ts";
import { UsageError } from "../../src/usage-error.ts";
import { isRunning } from "../fixtures-lifecycle/fixture-server.ts";
import { loneChild } from "../fixtures-lifecycle/lone-child-specification.ts";

describe("Child", () => {
  test("starts, gets ready, stops: each state once, in this order", async () => {
    const child = new Child(loneChild("server"));
    const states = [child.state.kind];
    expect(await child.ready).toEqual({ url: "http://127.0.0.1:1", port: 1 });
    states.push(child.state.kind);
    const ended = child.stop(10_000);
    states.push(child.state.kind);
    const end = await ended;
    states.push(child.state.kind);
    expect(states).toEqual(["starting", "ready", "stopping", "ended"]);
    expect(end).toMatchObject({ exitCode: 0, signal: null, wasReady: true });
    expect(isRunning(child.pid)).toBe(false);
    expect(await child.stop(0)).toBe(end);
  });

  test("is shown by ps under its name", async () => {
    const child = new Child(loneChild("worker 3/16"));
    await child.ready;
    const commandLine = readFileSync(`/proc/${child.pid}/cmdline`, "utf8");
    expect(commandLine).toStartWith("session-server worker 3/16\0");
    await child.stop(10_000);
  });

  test("that cannot start says why, in its own words", async () => {
    const child = new Child(loneChild("server", "cannot start"));
    await expect(child.ready).rejects.toThrow(new Error("server: no such checkpoint"));
  });

  test("that finds a setting wrong hands it on as such, whatever process it was", async () => {
    const child = new Child(loneChild("server", "takes no such checkpoint"));
    await expect(child.ready).rejects.toThrow(
      new UsageError("no tokenizer", { fault: { setting: "hfCheckpoint" } }),
    );
    expect((await child.ended).failure).toMatchObject({
      isBug: false,
      fault: { setting: "hfCheckpoint", problem: "no tokenizer" },
    });
  });

  test("that has a bug at its start is told with its whole story", async () => {
    const child = new Child(loneChild("server", "has a bug at start"));
    await expect(child.ready).rejects.toThrow(
      `server (pid ${child.pid}) ended with exit code 1 before it was ready; ` +
        "last words: undefined is not a function",
    );
  });

  test("that dies without a word is quoted from its stderr", async () => {
    const child = new Child(loneChild("server", "dies at start"));
    await expect(child.ready).rejects.toThrow("exit code 7 before it was ready");
    expect(await child.ended).toEqual({
      exitCode: 7,
      signal: null,
      wasReady: false,
      failure: null,
      lastWords: "first | second",
    });
  });

  test("whose stderr another process holds open has ended all the same, after stderrAfterEndMs", async () => {
    const child = new Child(loneChild("server", "leaves its stderr to another process"));
    const startedAt = performance.now();
    const end = await child.ended;
    process.kill(Number(end.lastWords), "SIGKILL");
    expect(end).toMatchObject({ exitCode: 7, lastWords: expect.stringMatching(/^\d+$/) });
    expect(performance.now() - startedAt).toBeGreaterThan(stderrAfterEndMs - 5);
  });

  test("gets childReadyMs to be ready when nobody says otherwise", async () => {
    using timers = spyOn(globalThis, "setTimeout");
    const child = new Child(loneChild("server"));
    expect(timers.mock.calls.map(([, delayMs]) => delayMs)).toEqual([childReadyMs]);
    await child.stop(10_000);
  });

  test("that takes too long is reported as late and can still be stopped", async () => {
    const child = new Child(loneChild("server", "never ready"), 200);
    await expect(child.ready).rejects.toThrow("server was not ready within 200 ms");
    await child.stop(10_000);
  });

  test("that does not stop is killed when its grace is over", async () => {
    const child = new Child(loneChild("server", "does not stop"));
    await child.ready;
    const end = await child.stop(100);
    expect(end).toMatchObject({ exitCode: null, signal: "SIGKILL" });
  });

  test("that had to be killed is named in the log, with the time that it was given", async () => {
    const program = `
      const { readFileSync } = await import("node:fs");
      const { Child } = await import("./src/lifecycle/child.ts");
      const { loneChild } = await import("./test/fixtures-lifecycle/lone-child-specification.ts");
      const stubborn = new Child(loneChild("worker 1/3", "does not stop"));
      const willing = new Child(loneChild("worker 2/3"));
      const starting = new Child(loneChild("worker 3/3", "never ready, does not stop"));
      const leaving = new Child(loneChild("router", "stops, and is not gone"));
      await Promise.all([stubborn.ready, willing.ready, leaving.ready]);
      process.kill(leaving.pid, "SIGTERM");
      while (!readFileSync(\`/proc/\${leaving.pid}/stat\`, "utf8").includes(") T ")) {
        await Bun.sleep(1);
      }
      const ends = [stubborn.stop(100), willing.stop(60_000), starting.stop(100), leaving.stop(1)];
      await Promise.all(ends);
      process.stdout.write(String(stubborn.pid));`;
    const parent = Bun.spawn([process.execPath, "-e", program], {
      cwd: new URL("../..", import.meta.url).pathname,
      stdout: "pipe",
      stderr: "pipe",
    });
    const pid = await parent.stdout.text();
    const lines = (await parent.stderr.text()).split("\n").filter((line) => line.includes("WARN"));
    expect(lines).toHaveLength(1);
    const [, named, ms] = /: worker 1\/3 \(pid (\d+)\) did not stop within (\d+) ms: killed$/.exec(
      lines[0] ?? "",
    ) ?? [""];
    expect(named).toBe(pid);
    expect(Number(ms)).toBeGreaterThanOrEqual(99);
  });

  test("that is killed from outside ends with the signal", async () => {
    const child = new Child(loneChild("server"));
    await child.ready;
    process.kill(child.pid, "SIGKILL");
    expect(await child.ended).toMatchObject({ signal: "SIGKILL", wasReady: true });
  });

  test("whose program is not there throws at once", () => {
    const specification = { ...loneChild("server"), argv: ["/nowhere/at/all"] };
    expect(() => new Child(specification)).toThrow();
  });

  test("never writes to our stdout", async () => {
    const program = `
      const { Child } = await import("./src/lifecycle/child.ts");
      const { loneChild } = await import("./test/fixtures-lifecycle/lone-child-specification.ts");
      const child = new Child(loneChild("server", "talks on stdout"));
      await child.ready;
      await child.stop(10_000);`;
    const parent = Bun.spawn([process.execPath, "-e", program], {
      cwd: new URL("../..", import.meta.url).pathname,
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(await parent.stdout.text()).toBe("");
    expect(await parent.stderr.text()).toContain("to stdout\n");
  });
});

describe("endError()", () => {
  const child = { name: "worker 1/2", pid: 42 };
  const end: ChildEnd = {
    exitCode: 3,
    signal: null,
    wasReady: false,
    failure: null,
    lastWords: "x",
  };
  const failure = { message: "no room", isBug: false, fault: null };
  const story = "worker 1/2 (pid 42) ended with exit code 3";

  test("is one line: who, how, when, last words", () => {
    const killed = { ...end, exitCode: null, signal: "SIGKILL", wasReady: true, lastWords: "" };
    expect(endError(child, killed).message).toBe(
      "worker 1/2 (pid 42) was killed by SIGKILL; it left no last words",
    );
    expect(endError(child, end).message).toBe(`${story} before it was ready; last words: x`);
  });

  test("spares the story of the process when a child said why it cannot start", () => {
    expect(endError(child, { ...end, failure })).toEqual(new Error("worker 1/2: no room"));
    const fault = { setting: "host", relation: null, problem: null, expected: "x" } as const;
    const usage = endError(child, { ...end, failure: { ...failure, fault } });
    expect(usage).toBeInstanceOf(UsageError);
    expect(usage).toMatchObject({ message: "no room", fault });
  });

  test("tells it when the child had served, or has a bug", () => {
    const words = { ...end, lastWords: "no room" };
    expect(endError(child, { ...words, failure, wasReady: true }).message).toBe(
      `${story}; last words: no room`,
    );
    expect(endError(child, { ...words, failure: { ...failure, isBug: true } }).message).toBe(
      `${story} before it was ready; last words: no room`,
    );
  });
});
