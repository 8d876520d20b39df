import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withDownloadLock } from "../../src/checkpoint-hub/download-lock.ts";

const root = mkdtempSync(join(tmpdir(), "session-server-lock-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("withDownloadLock() lets one in at a time, also after a failure", async () => {
  const path = join(root, "a.lock");
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const failing = withDownloadLock(path, async () => {
    order.push("first in");
    await first.promise;
    throw new Error("broken");
  });
  const second = withDownloadLock(path, async () => {
    order.push("second in");
  });
  expect(order).toEqual(["first in"]);
  first.resolve();
  expect(await failing.catch((error: Error) => error.message)).toBe("broken");
  await second;
  expect(order).toEqual(["first in", "second in"]);
  expect(existsSync(path)).toBe(false);
});

test("withDownloadLock() takes over from a process that is gone", async () => {
  const gone = Bun.spawnSync(["true"]).pid;
  const path = join(root, "b.lock");
  writeFileSync(path, String(gone));
  let ran = false;
  await withDownloadLock(path, async () => {
    ran = true;
  });
  expect(ran).toBe(true);
});
