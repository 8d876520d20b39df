import { describe, expect, test } from "bun:test";
import {
  ChildGroup,
  type ChildGroupLimits,
  StoppedError,
} from "../../src/lifecycle/child-group.ts";
import { failureGraceMs, groupSignalMs, processGraceMs } from "../../src/limits.ts";
import { isRunning } from "../fixtures-lifecycle/fixture-server.ts";
import { loneChild } from "../fixtures-lifecycle/lone-child-specification.ts";
import { Stopwatch } from "../harness/stopwatch.ts";

const pids = (group: ChildGroup) => group.children.map((child) => child.pid);
const killed = (group: ChildGroup) => pids(group).filter(isRunning);

describe("start", () => {
  test("resolves to the addresses of a stage when all of it is ready", async () => {
    const group = new ChildGroup();
    const addresses = await group.start([loneChild("a"), loneChild("b")]);
    expect(addresses).toEqual(Array(2).fill({ url: "http://127.0.0.1:1", port: 1 }));
    group.check();
    await group.shutdown();
    expect(killed(group)).toEqual([]);
  });

  test("rejects with the first cause and leaves nothing of the stage behind", async () => {
    const group = new ChildGroup();
    const started = group.start([loneChild("a"), loneChild("b", "cannot start"), loneChild("c")]);
    await expect(started).rejects.toThrow(new Error("b: no such checkpoint"));
    expect(killed(group)).toEqual([]);
    expect((await group.failed).message).toBe("b: no such checkpoint");
  });

  test("rejects when a child is late", async () => {
    const group = new ChildGroup({ readyMs: 300 });
    const started = group.start([loneChild("late", "never ready")]);
    await expect(started).rejects.toThrow("late was not ready within 300 ms");
    expect(killed(group)).toEqual([]);
  });

  test("rejects when a program is not there, and ends what was started before it", async () => {
    const group = new ChildGroup();
    const missing = { ...loneChild("missing"), argv: ["/nowhere/at/all"] };
    await expect(group.start([loneChild("a"), missing])).rejects.toThrow("/nowhere/at/all");
    expect(group.children).toHaveLength(1);
    expect(killed(group)).toEqual([]);
  });

  test("rejects with StoppedError when the group is stopped meanwhile", async () => {
    const group = new ChildGroup();
    const started = group.start([loneChild("a", "never ready")]);
    const stopped = group.shutdown();
    await expect(started).rejects.toBeInstanceOf(StoppedError);
    await stopped;
    expect(killed(group)).toEqual([]);
    await expect(group.start([loneChild("b")])).rejects.toBeInstanceOf(StoppedError);
  });
});

describe("failure", () => {
  test("the first death is the cause, tears the group down, and check() throws it", async () => {
    const group = new ChildGroup();
    await group.start([loneChild("a"), loneChild("b"), loneChild("c")]);
    const [first, second] = pids(group);
    process.kill(second ?? 0, "SIGKILL");
    const cause = await group.failed;
    process.kill(first ?? 0, "SIGKILL");
    expect(cause.message).toMatch(/^b \(pid \d+\) was killed by SIGKILL; /);
    expect(() => group.check()).toThrow(cause);
    await group.shutdown();
    expect(() => group.check()).toThrow(cause);
    expect(killed(group)).toEqual([]);
  });

  test("a child that ends with exit code 0 without being asked is a failure", async () => {
    const group = new ChildGroup();
    await group.start([loneChild("a")]);
    process.kill(pids(group)[0] ?? 0, "SIGTERM");
    expect((await group.failed).message).toContain("ended with exit code 0");
    await group.shutdown();
  });

  test("a child that gives up says why", async () => {
    const group = new ChildGroup();
    await group.start([loneChild("a", "fails later")]);
    expect((await group.failed).message).toMatch(/^a .*exit code 1; last words: lost it all$/);
    await group.shutdown();
  });
});

describe("times", () => {
  const stages = ["engine", "worker", "router"];

  async function stubbornGroup(limits: Partial<ChildGroupLimits>): Promise<ChildGroup> {
    const group = new ChildGroup(limits);
    for (const name of stages) await group.start([loneChild(name, "does not stop")]);
    return group;
  }

  /** On the wall, where no grace may be cut, and by a watch that stops while the machine does. */
  async function shutdownMs(group: ChildGroup) {
    using watch = new Stopwatch();
    const startMs = performance.now();
    await group.shutdown();
    return { wallMs: performance.now() - startMs, watchMs: watch.ms };
  }

  test("all stages share graceMs, and each has processGraceMs at least", async () => {
    const graceMs = 3_000;
    const { wallMs, watchMs } = await shutdownMs(await stubbornGroup({ graceMs }));
    const least = graceMs + (stages.length - 1) * processGraceMs;
    expect(wallMs).toBeGreaterThanOrEqual(least - 5);
    // A grace for each stage would be three of them.
    expect(watchMs).toBeLessThan(2 * graceMs);
  });

  test("a group that has failed gets failureGraceMs instead", async () => {
    const group = await stubbornGroup({ graceMs: 60_000 });
    process.kill(pids(group)[0] ?? 0, "SIGKILL");
    await group.failed;
    const { wallMs, watchMs } = await shutdownMs(group);
    expect(wallMs).toBeGreaterThanOrEqual(failureGraceMs - 5);
    // It is not the grace of a stop: that is a minute here.
    expect(watchMs).toBeLessThan(30_000);
    expect(killed(group)).toEqual([]);
  });

  test("a signal that reaches a child groupSignalMs before us is no failure", async () => {
    const group = new ChildGroup();
    await group.start([loneChild("a")]);
    const [child] = group.children;
    process.kill(child?.pid ?? 0, "SIGTERM");
    await child?.ended;
    await group.shutdown();
    expect(() => group.check()).toThrow(StoppedError);
    expect(groupSignalMs).toBeLessThan(failureGraceMs);
  });
});

describe("shutdown", () => {
  test("stops stages in reverse order of their start", async () => {
    const group = new ChildGroup();
    const ends: string[] = [];
    for (const stage of [["engine"], ["worker 1", "worker 2"], ["router"]]) {
      await group.start(stage.map((name) => loneChild(name)));
    }
    for (const child of group.children) void child.ended.then(() => ends.push(child.name));
    await group.shutdown();
    expect(ends.toSorted()).toEqual(["engine", "router", "worker 1", "worker 2"]);
    expect([ends.at(0), ends.at(-1)]).toEqual(["router", "engine"]);
  });

  test("is idempotent, is no failure, and kills what does not stop", async () => {
    const group = new ChildGroup({ graceMs: 100 });
    await group.start([loneChild("stubborn", "does not stop")]);
    const [first, second] = [group.shutdown(), group.shutdown()];
    expect(first).toBe(second);
    await first;
    expect(killed(group)).toEqual([]);
    await Promise.all(group.children.map((child) => child.ended));
    // A group that has failed throws its cause here.
    expect(() => group.check()).toThrow(StoppedError);
  });

  test("of a group that never started resolves", async () => {
    await new ChildGroup().shutdown();
  });
});
