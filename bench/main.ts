/**
 * `bun run bench <shape>`: the production shape of a session server on this machine, or a smaller
 * one. `micro` measures the parts that a turn is made of, `startup` the way to the first answer,
 * and `profile` says where the time of a turn goes.
 *
 * Contract   what needs a package is imported when the packages are there.
 */
import { ensureDependencies } from "../scripts/dependencies.ts";
import {
  flagsHelp,
  plansOf,
  readCommandLine,
  shapesHelp,
  targetsHelp,
  targetsOf,
  UsageError,
} from "./run/command-line.ts";

const help = `Usage: bun run bench <shape> [flags]
       bun run bench profile <shape> [flags]
       bun run bench startup [--help]
       bun run bench micro [--help]

${shapesHelp()}

${flagsHelp()}

${targetsHelp}

Examples
  bun run bench smoke
  bun run bench small --workers 1,2,4
  bun run bench production --sessions 2,8,32 --rounds 1
  bun run bench production --workers 2 --records after
  bun run bench records --workers 2 --concurrent-gets 8
  bun run bench small --sessions 1,10,100,1000 --turns 20`;

type Command = (argv: readonly string[]) => Promise<number>;

/** What is no shape. */
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["micro", async () => (await import("./micro/main.ts")).runMicroBenchmarks],
  ["startup", async () => (await import("./startup/main.ts")).runStartup],
  ["profile", async () => (await import("./profile/main.ts")).runProfile],
]);

async function main(argv: readonly string[]): Promise<number> {
  const command = commands.get(argv[0] ?? "");
  if (command !== undefined) {
    await ensureDependencies();
    return (await command())(argv.slice(1));
  }
  const { words, values, asksForHelp } = readCommandLine(argv);
  if (asksForHelp || words.length === 0) {
    console.log(help);
    return asksForHelp ? 0 : 2;
  }
  const [shapeName = "", ...more] = words;
  if (more.length > 0) throw new UsageError(`"${more[0]}" is not understood; expected one shape`);
  await ensureDependencies();
  const plans = plansOf(shapeName, values, targetsOf(values));
  const { runAtTerminal } = await import("./run/terminal.ts");
  return runAtTerminal(plans);
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`bench: ${error.message}`);
  process.exit(2);
}
