/**
 * `bun run ok`: everything about the source that needs no run of the program. Formatting and lint
 * (Biome), types (tsc), and the rules of the project itself (test/tidy.test.ts).
 *
 * Contract   all checks run, also after one has failed; exits with 0 only when all are content.
 */
import { ensureDependencies, projectRoot } from "./dependencies.ts";

// --bun: the tools are Node scripts, and Node need not be there.
const checks = {
  "format and lint": ["run", "--bun", "biome", "check", "."],
  types: ["run", "--bun", "tsc"],
  "project rules": ["test", "./test/tidy.test.ts"],
} as const;

await ensureDependencies();
const failed: string[] = [];
for (const [name, command] of Object.entries(checks)) {
  const check = Bun.spawn([process.execPath, ...command], {
    cwd: projectRoot,
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
  });
  if ((await check.exited) !== 0) failed.push(name);
}
console.log(failed.length === 0 ? "ok" : `not ok: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
