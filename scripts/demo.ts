/**
 * `bun run demo`: shows on this machine, without a GPU and without a download, what a session
 * server does. Needs nothing installed: it fetches the packages of bun.lock first.
 *
 * Contract   exits with 0 only when every check of the demo passed; leaves no process behind.
 */
import { ensureDependencies } from "./dependencies.ts";

await ensureDependencies();
// Only now, because these need the packages.
const { createDisplay } = await import("./demo/display.ts");
const { errorText } = await import("../src/errors.ts");
const { runDemo } = await import("./demo/run.ts");

let passed = false;
try {
  passed = await runDemo(createDisplay(process.stdout, process.env));
} catch (error) {
  console.error(`the demo could not run to its end: ${errorText(error)}`);
}
process.exit(passed ? 0 : 1);
