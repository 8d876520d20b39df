import { expect, test } from "bun:test";
import { ChildProcesses } from "../../../bench/process/child-processes.ts";
import { GroupMeter } from "../../../bench/process/group-meter.ts";
import { descendantsOf, processName, readProcess } from "../../../bench/process/process-table.ts";

const mebibyte = 1024 ** 2;

/** A program that starts another one, both deaf to SIGTERM but not to SIGKILL. */
const stubbornTree = `
  const deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
  const child = Bun.spawn([process.execPath, "-e", deaf]);
  process.on("SIGTERM", () => process.exit(3));
  process.send({ child: child.pid });
`;

test("ChildProcesses.stopAll() leaves nothing behind, nor what its children started", async () => {
  const processes = new ChildProcesses();
  const told = Promise.withResolvers<number>();
  const parent = processes.start("tree", {
    argv: [process.execPath, "-e", stubbornTree],
    onMessage: (message) => told.resolve((message as { child: number }).child),
  });
  const grandchild = await told.promise;
  expect(descendantsOf(process.pid).map(({ pid }) => pid)).toContain(grandchild);
  await processes.stopAll();
  expect(await parent.ended).toBe("exit code 3");
  expect(readProcess(grandchild)).toBeNull();
  expect(readProcess(parent.pid)).toBeNull();
  expect(() => processes.start("late", { argv: ["true"] })).toThrow("being stopped");
});

test("ChildProcesses keeps the last of what a child wrote to stderr", async () => {
  const processes = new ChildProcesses();
  const child = processes.start("failing", {
    argv: [process.execPath, "-e", "console.error('the reason'); process.exit(9)"],
  });
  expect(await child.ended).toBe("exit code 9");
  while (child.stderr() === "") await Bun.sleep(1);
  expect(child.stderr()).toBe("the reason\n");
  await processes.stopAll();
});

const hungry = `
  globalThis.kept = Buffer.alloc(64 * 1024 * 1024, 1);
  // Of processor time: by the clock, a busy machine would leave it next to none.
  while (process.cpuUsage().user < 200_000);
  process.send("ready");
  setInterval(() => {}, 1000);
`;

test("GroupMeter counts memory and processor time of a group since the last reset", async () => {
  const processes = new ChildProcesses();
  const ready = Promise.withResolvers<void>();
  const child = processes.start("hungry", {
    argv: [process.execPath, "-e", hungry],
    onMessage: () => ready.resolve(),
  });
  const meter = new GroupMeter([child.pid]);
  await ready.promise;
  const use = meter.use();
  expect(use.peakPssBytes).toBeGreaterThan(64 * mebibyte);
  expect(use.peakResidentBytes).toBeGreaterThanOrEqual(use.peakPssBytes);
  expect(use.cpuSeconds).toBeGreaterThan(0.05);
  expect(use.processes).toHaveLength(1);
  meter.reset();
  expect(meter.use().cpuSeconds).toBeLessThan(0.05);
  expect(meter.samples.length).toBeGreaterThan(1);
  meter.stop();
  await processes.stopAll();
});

test("processName() gives the role of a session server's process", async () => {
  const child = Bun.spawn([process.execPath, "-e", "setInterval(() => {}, 1000)"], {
    argv0: "session-server worker 1/2",
    stdio: ["ignore", "ignore", "ignore"],
  });
  while (processName(child.pid) !== "worker 1/2") await Bun.sleep(1);
  child.kill();
  await child.exited;
});
