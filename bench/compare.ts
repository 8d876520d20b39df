/**
 * `bun run bench:compare A B`: two servers in the same run, in alternating order, with the same
 * bytes; says which is faster, and whether they gave the same replies.
 */
import {
  flagsHelp,
  plansOf,
  readCommandLine,
  readTarget,
  shapesHelp,
  targetsHelp,
  UsageError,
} from "./run/command-line.ts";
import { runAtTerminal } from "./run/terminal.ts";

const help = `Usage: bun run bench:compare <A> <B> [shape] [flags]

Runs two servers under test in alternating rounds; the shape is "small" unless given.

${targetsHelp}

${shapesHelp()}

${flagsHelp()}

Examples
  bun run bench:compare bun:1 bun:2
  bun run bench:compare bun:1 bun:1@../session-server-before agentic --rounds 5
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
  if (first === second) throw new UsageError(`both servers are ${first}`);
  return runAtTerminal(plansOf(shapeName, values, [readTarget(first), readTarget(second)]));
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`bench:compare: ${error.message}`);
  process.exit(2);
}
