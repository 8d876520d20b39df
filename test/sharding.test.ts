import { describe, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { AssertionError } from "../src/assert.ts";
import { workerCountMax } from "../src/limits.ts";
import { createSharding } from "../src/sharding.ts";

/** hashlib.blake2b(id, digest_size=8) of Python, as hex. */
const digests: readonly (readonly [sessionId: string, digest: string])[] = [
  ["", "e4a6a0577479b2b4"],
  ["a", "40f89e395b66422f"],
  ["0123456789abcdef0123456789abcdef", "ccaaace47f009353"],
  ["session-0001", "1cfb16e4563ccddb"],
  ["é你", "75f6e9b45b828e6b"],
];

describe("ownerOf", () => {
  test("is Python's 8-byte BLAKE2b modulo the worker count", async () => {
    for (const workerCount of [1, 2, 3, 16, 1000, workerCountMax]) {
      const sharding = await createSharding(workerCount);
      for (const [sessionId, digest] of digests) {
        const expected = Number(BigInt(`0x${digest}`) % BigInt(workerCount));
        expect(sharding.ownerOf(sessionId)).toBe(expected);
      }
    }
  });

  test("is the same in three separate processes", async () => {
    const sessionIds = Array.from({ length: 200 }, (_, index) => `session-${index}`);
    const module = fileURLToPath(new URL("../src/sharding.ts", import.meta.url));
    const program = `
      const { createSharding } = await import(${JSON.stringify(module)});
      const sharding = await createSharding(16);
      process.stdout.write(JSON.stringify(${JSON.stringify(sessionIds)}.map(sharding.ownerOf)));`;
    const answers = await Promise.all(
      [1, 2, 3].map(async () => {
        const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe" });
        return JSON.parse(await child.stdout.text()) as number[];
      }),
    );
    const sharding = await createSharding(16);
    const owners = sessionIds.map((sessionId) => sharding.ownerOf(sessionId));
    expect(answers).toEqual([owners, owners, owners]);
  });

  test("spreads ids over all workers", async () => {
    const sharding = await createSharding(8);
    const counts = new Array<number>(8).fill(0);
    for (let index = 0; index < 8_000; index++) {
      const owner = sharding.ownerOf(`session-${index}`);
      counts[owner] = (counts[owner] ?? 0) + 1;
    }
    // 1000 expected, standard deviation 30: six of them is beyond chance for fixed ids.
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(180);
  });

  test("two instances in use at once do not disturb each other", async () => {
    const [one, two] = await Promise.all([createSharding(16), createSharding(16)]);
    expect([one.ownerOf("a"), two.ownerOf(""), one.ownerOf("a")]).toEqual([15, 4, 15]);
  });
});

describe("createSharding", () => {
  test("refuses worker counts that are none", async () => {
    expect((await createSharding(workerCountMax)).ownerOf("a")).toBeLessThan(workerCountMax);
    for (const workerCount of [0, -1, 1.5, Number.NaN, workerCountMax + 1]) {
      await expect(createSharding(workerCount)).rejects.toBeInstanceOf(AssertionError);
    }
  });
});
