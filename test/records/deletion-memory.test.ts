import { expect, test } from "bun:test";
import { join } from "node:path";
import { hangMs } from "../harness/time-limit.ts";

test(
  "deleting sessions that were dumped gives their memory back to the system",
  async () => {
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "deletion-memory.ts")], {
      stdout: "pipe",
      stderr: "inherit",
    });
    const output = await new Response(child.stdout).text();
    expect(await child.exited).toBe(0);
    const { storedMiB, beforeMiB, afterMiB, dumped } = JSON.parse(output);
    expect(Math.min(...dumped)).toBeGreaterThan(100_000_000);
    // Generous: the allocator may keep a fifth of it for a while.
    expect(beforeMiB - afterMiB).toBeGreaterThan(0.8 * storedMiB);
  },
  hangMs,
);
