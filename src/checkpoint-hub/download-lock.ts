/**
 * One process at a time brings a file; the others wait for it.
 *
 * Contract   a lock is a file with the id of its process. That of a process which is gone is taken
 *            over; that of another machine on the same disk is not told apart from one of this.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";

/** Milliseconds between looks at a lock that another process holds. */
const lockPollMs = 200;

export async function withDownloadLock(path: string, action: () => Promise<void>): Promise<void> {
  while (!tryLock(path)) await Bun.sleep(lockPollMs);
  try {
    await action();
  } finally {
    rmSync(path, { force: true });
  }
}

function tryLock(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== "EEXIST") throw error;
  }
  if (isHeld(path)) return false;
  rmSync(path, { force: true });
  return false;
}

function isHeld(path: string): boolean {
  let holder: number;
  try {
    holder = Number(readFileSync(path, "utf8"));
  } catch {
    // It was given back in this moment.
    return false;
  }
  // Written a moment after it was made, it may still be empty.
  if (!Number.isSafeInteger(holder) || holder <= 0) return true;
  try {
    process.kill(holder, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
