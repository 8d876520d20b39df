import { describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { upstreamSettings } from "../../src/lifecycle/upstream-settings.ts";
import { upstreamRequestsMax } from "../../src/limits.ts";

const program = fileURLToPath(new URL("../fixtures-lifecycle/restart.ts", import.meta.url));

async function run(environment: Record<string, string>) {
  const child = Bun.spawn([process.execPath, program, "--port", "a b"], {
    env: { PATH: process.env["PATH"], ...environment },
    stdout: "pipe",
  });
  const lines = (await child.stdout.text()).trimEnd().split("\n");
  expect(await child.exited).toBe(0);
  return { pid: child.pid, starts: lines.map((line) => JSON.parse(line)) };
}

describe("restartWithUpstreamSettings", () => {
  test("starts the program again with the settings, its arguments and its process id", async () => {
    const { pid, starts } = await run({});
    const words = ["--port", "a b"];
    expect(starts).toEqual([
      { pid, words, settled: false },
      { pid, words, settled: true },
    ]);
  });

  test("returns when the settings are there", async () => {
    expect((await run(upstreamSettings)).starts).toHaveLength(1);
  });

  test("its settings lift the bounds of fetch", () => {
    expect(upstreamSettings).toEqual({
      BUN_CONFIG_MAX_HTTP_REQUESTS: String(upstreamRequestsMax),
      BUN_CONFIG_HTTP_IDLE_TIMEOUT: "0",
    });
  });
});
