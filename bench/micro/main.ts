/**
 * `bun run bench micro`: each part of the server alone, one after the other, in this process.
 */
import { parseArgs } from "node:util";
import { describeMachine, doubtAbout } from "../result/machine.ts";
import { appendMicroResult, type MicroMeasurement, microTable } from "../result/micro-result.ts";
import { textTable } from "../result/table.ts";
import { resultsDirectoryOf, UsageError } from "../run/command-line.ts";
import { microBenchmarks } from "./all.ts";
import { fullSettings, measure, smokeSettings } from "./measure.ts";

const help = `Usage: bun run bench micro [flags]

  --filter TEXT   only benchmarks whose name contains TEXT; the result is not kept
  --smoke         everything once, small: the figures mean nothing and are not kept
  --results DIR   where the JSON line goes; bench/results by default
  --help          this text`;

/** @returns the exit code; @throws UsageError */
export async function runMicroBenchmarks(argv: readonly string[]): Promise<number> {
  const flags = readFlags(argv);
  if (flags.help) {
    console.log(help);
    return 0;
  }
  const chosen = microBenchmarks.filter(({ name }) => name.includes(flags.filter));
  if (chosen.length === 0) {
    const names = microBenchmarks.map(({ name }) => name).join(", ");
    throw new UsageError(`--filter ${flags.filter} matches nothing; there are ${names}`);
  }
  const startedAt = new Date().toISOString();
  const machine = await describeMachine();
  const measurements: MicroMeasurement[] = [];
  for (const benchmark of chosen) {
    const prepared = await benchmark.prepare(flags.smoke ? "smoke" : "full");
    const settings = flags.smoke ? smokeSettings : fullSettings;
    const { medianNs, fastestNs } = await measure(prepared, settings);
    const { name, operation } = benchmark;
    measurements.push({ name, operation, medianNs, fastestNs, bytes: prepared.bytes });
  }
  const doubt = doubtAbout(machine);
  if (doubt !== null) console.log(`WARNING: ${doubt}`);
  console.log(textTable(microTable(measurements)));
  if (!flags.smoke && flags.filter === "") {
    appendMicroResult(flags.results, { startedAt, machine, measurements });
  }
  return 0;
}

function readFlags(argv: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        filter: { type: "string", default: "" },
        smoke: { type: "boolean", default: false },
        results: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    return { ...values, results: resultsDirectoryOf(values.results) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
