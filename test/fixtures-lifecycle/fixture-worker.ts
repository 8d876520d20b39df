/** A worker around the fixture handler as a process of its own, without a supervisor. */
import { fileURLToPath } from "node:url";
import { OperationServer } from "../../src/ipc/operation-server.ts";
import { configureLog } from "../../src/log.ts";
import { createFixtureHandler } from "./fixture-handler.ts";

if (import.meta.main) {
  configureLog("fixture worker", "silent");
  new OperationServer(process.argv[2] ?? "", createFixtureHandler(0));
  process.stdout.write("listening\n");
  // Ends with its test, however that ends.
  for await (const _ of Bun.stdin.stream());
  process.exit(0);
}

export async function startFixtureWorker(socketPath: string) {
  const child = Bun.spawn([process.execPath, fileURLToPath(import.meta.url), socketPath], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, BUN_FEATURE_FLAG_NO_ORPHANS: "1" },
  });
  for await (const _ of child.stdout) break;
  return child;
}
