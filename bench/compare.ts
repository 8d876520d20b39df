/**
 * `bun run bench:compare A B`: two servers in the same run, in alternating order, with the same
 * bytes; says which is faster, and whether they gave the same replies.
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

const help = `Usage: bun run bench:compare <A> <B> [shape] [flags]

Runs two servers under test in alternating rounds; the shape is "small" unless given.

${targetsHelp}

${shapesHelp()}

${flagsHelp()}

Examples
  bun run bench:compare bun:1 bun:2
  bun run bench:compare before=bun:1@../before after=bun:1 agentic --rounds 5
  bun run bench:compare bun:2 executable:2 production --rounds 2`;

async function main(argv: readonly string[]): Promise<number> {
  const { words, values, asksForHelp } = readCommandLine(argv);
  const [first, second, shapeName = "small", ...more] = words;
  if (asksForHelp || first === undefined) {
    console.log(help);
    return asksForHelp ? 0 : 2;
  }
  if (second === undefined || more.length > 0) {
    throw new UsageError("two servers and at most one shape are expected; --help shows how");
  }
  if (values.workers !== undefined || values.target !== undefined) {
    throw new UsageError("the servers are named as words here, not by --workers or --target");
  }
  await ensureDependencies();
  const plans = plansOf(shapeName, values, targetsOf({ target: [first, second] }));
  const { runAtTerminal } = await import("./run/terminal.ts");
  return runAtTerminal(plans);
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`bench:compare: ${error.message}`);
  process.exit(2);
}
