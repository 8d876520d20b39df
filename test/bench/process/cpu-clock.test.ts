import { expect, test } from "bun:test";
import { GroupCpuClock, processCpuNs } from "../../../bench/process/cpu-clock.ts";

/** More than any process id. */
const nobody = 2 ** 22 + 1;

test("processCpuNs() counts this process's work as it counts itself", () => {
  const before = processCpuNs(process.pid);
  const atStart = process.cpuUsage();
  let own = { user: 0, system: 0 };
  while (own.user + own.system < 20_000) own = process.cpuUsage(atStart);
  const usedNs = processCpuNs(process.pid) - before;
  expect(usedNs).toBeGreaterThanOrEqual((own.user + own.system) * 900);
  expect(processCpuNs(nobody)).toBeNaN();
});

test("GroupCpuClock adds up its processes, and knows nothing of one that is not there", () => {
  expect(new GroupCpuClock([process.pid]).nanoseconds()).toBeGreaterThan(0);
  expect(new GroupCpuClock([process.pid, nobody]).nanoseconds()).toBeNaN();
  expect(new GroupCpuClock([]).nanoseconds()).toBeNaN();
});
