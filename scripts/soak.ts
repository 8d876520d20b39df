/**
 * `bun run soak`: ten minutes of a thousand agents and a backend in trouble. Prints its figures and
 * every violation; exits with 0 only when there is none.
 */
import { ensureDependencies } from "./dependencies.ts";
import { parseSoakOptions } from "./soak/options.ts";
import { mebibytes, type SoakResult, soak } from "./soak/run.ts";

function print(result: SoakResult): void {
  const { memoryBytes: memory, openFiles: files } = result;
  const total = (counts: ReadonlyMap<string, number>) =>
    [...counts.values()].reduce((sum, count) => sum + count, 0);
  const list = (counts: ReadonlyMap<string, number>) =>
    [...counts]
      .sort(([, one], [, other]) => other - one)
      .map(([name, count]) => `${count} ${name}`);
  console.log(`seconds     ${Math.round(result.seconds)}`);
  console.log(`actions     ${total(result.actions)}: ${list(result.actions).join(", ")}`);
  console.log(`backend     ${total(result.backend)}: ${list(result.backend).join(", ")}`);
  console.log(
    `memory      ${[memory.before, memory.peak, memory.after].map(mebibytes).join(" -> ")}`,
  );
  console.log(`open files  ${files.before} -> ${files.peak} -> ${files.after}`);
  console.log(`warnings    ${result.warnings}`);
  console.log(`violations  ${result.violations.length}`);
  for (const violation of result.violations.slice(0, 20)) console.log(`  ${violation}`);
}

if (import.meta.main) {
  await ensureDependencies();
  const options = parseSoakOptions(process.argv.slice(2));
  console.log(`soak: ${JSON.stringify(options)}`);
  const result = await soak(options, (line) => {
    if (process.stdout.isTTY) process.stdout.write(`\r${line}   `);
  });
  print(result);
  process.exit(result.violations.length === 0 ? 0 : 1);
}
