import { describe, expect, test } from "bun:test";
import type { ChildMessage } from "../../src/lifecycle/child-contract.ts";
import { stopDrainMs } from "../../src/limits.ts";
import {
  type LoneChildOptions,
  loneChild,
} from "../fixtures-lifecycle/lone-child-specification.ts";

/** A child started without the class under which it usually lives: its pipes are the test's. */
function spawn(behaviour = "", options: LoneChildOptions = {}) {
  const specification = loneChild("server", behaviour, options);
  const messages: ChildMessage[] = [];
  const ready = Promise.withResolvers<void>();
  const disconnected = Promise.withResolvers<void>();
  const child = Bun.spawn([...specification.argv], {
    env: specification.environment,
    stdio: ["pipe", "ignore", "pipe"],
    ipc(message: ChildMessage) {
      messages.push(message);
      ready.resolve();
    },
    onDisconnect: () => disconnected.resolve(),
  });
  // Messages and the end of the process come in two ways: neither waits for the other.
  const allTold = disconnected.promise;
  return { child, messages, ready: ready.promise, allTold };
}

describe("liveAsChild", () => {
  test("reports ready with the address, stops on SIGTERM with its drain time, and says so", async () => {
    const { child, messages, ready, allTold } = spawn();
    await ready;
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    await allTold;
    expect(messages).toEqual([
      { type: "ready", url: "http://127.0.0.1:1", port: 1 },
      { type: "stopped" },
    ]);
    expect(await child.stderr.text()).toBe(`stopped within ${stopDrainMs}\n`);
  });

  test("stops at the end of its stdin", async () => {
    const { child, ready } = spawn();
    await ready;
    await child.stdin.end();
    expect(await child.exited).toBe(0);
    expect(await child.stderr.text()).toStartWith("stopped");
  });

  test("leaves Ctrl-C and a closed terminal to its supervisor", async () => {
    const { child, ready } = spawn();
    await ready;
    child.kill("SIGINT");
    child.kill("SIGHUP");
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    expect(await child.stderr.text()).toStartWith("stopped");
  });

  test("stops while it starts", async () => {
    const { child } = spawn("never ready");
    for await (const _ of child.stderr) break;
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
  });

  test("ends at once when its parent is not who started it", async () => {
    const { child, messages, allTold } = spawn("", { parentPid: 1 });
    expect(await child.exited).toBe(1);
    await allTold;
    expect(messages).toEqual([]);
  });

  const failures = {
    "cannot start": { message: "no such checkpoint", isBug: false },
    "fails later": { message: "lost it all", isBug: false },
    "crashes later": { message: "a bug", isBug: true },
    "rejects later": { message: "a forgotten promise", isBug: true },
  };
  for (const [behaviour, failure] of Object.entries(failures)) {
    test(`a role that ${behaviour} reports its failure and exits with 1`, async () => {
      const { child, messages, allTold } = spawn(behaviour);
      expect(await child.exited).toBe(1);
      await allTold;
      expect(messages.at(-1)).toEqual({ type: "failed", ...failure, fault: null });
    });
  }

  test("a role that finds a setting wrong reports which, as data", async () => {
    const { child, messages, allTold } = spawn("takes no such checkpoint");
    expect(await child.exited).toBe(1);
    await allTold;
    expect(messages).toEqual([
      {
        type: "failed",
        message: "no tokenizer",
        isBug: false,
        fault: {
          setting: "hfCheckpoint",
          relation: null,
          problem: "no tokenizer",
          expected: null,
        },
      },
    ]);
  });

  test.each(["cannot start", "fails later"])(
    "a role that %s leaves it to its supervisor to tell: a fault that was expected",
    async (behaviour) => {
      const { child } = spawn(behaviour, { logLevel: "info" });
      expect(await child.exited).toBe(1);
      expect(await child.stderr.text()).toBe("");
    },
  );

  test.each(["has a bug at start", "crashes later", "rejects later"])(
    "a role that %s logs the stack: a bug",
    async (behaviour) => {
      const { child } = spawn(behaviour, { logLevel: "info" });
      expect(await child.exited).toBe(1);
      expect(await child.stderr.text()).toMatch(/ERROR server: \w*Error: .*\n +at /);
    },
  );
});
