/**
 * The standalone executable, built once for all tests of a run.
 */
import { join } from "node:path";
import { build } from "../../scripts/build.ts";

const path = join(import.meta.dir, "..", "..", "dist", "session-server");
let built: Promise<void> | undefined;

/** Path of a freshly built executable. */
export async function executable(): Promise<string> {
  built ??= build(path);
  await built;
  return path;
}
