/**
 * `bun run bench micro`: each part of the server alone, one after the other, in this process.
 */
import { parseArgs } from "node:util";
import { formatNumber } from "../result/format.ts";
import { textTable } from "../result/table.ts";
import { microBenchmarks } from "./all.ts";
import { fullSettings, measure, smokeSettings } from "./measure.ts";

const help = `Usage: bun run bench micro [--filter TEXT] [--smoke]

  --filter TEXT   only benchmarks whose name contains TEXT
  --smoke         everything once, small: the figures mean nothing`;

/** @returns the exit code */
export async function runMicroBenchmarks(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      filter: { type: "string", default: "" },
      smoke: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const chosen = microBenchmarks.filter(({ name }) => name.includes(values.filter));
  const rows: string[][] = [];
  for (const benchmark of chosen) {
    const prepared = await benchmark.prepare(values.smoke ? "smoke" : "full");
    const { medianNs, fastestNs } = await measure(
      prepared,
      values.smoke ? smokeSettings : fullSettings,
    );
    const { bytes } = prepared;
    const speed = bytes === null ? "-" : formatNumber(bytes / medianNs);
    rows.push([
      benchmark.name,
      benchmark.operation,
      formatNumber(medianNs / 1000),
      formatNumber(fastestNs / 1000),
      speed,
    ]);
  }
  const heading = ["benchmark", "one operation", "median us", "fastest us", "GB/s"];
  console.log(textTable({ heading, rows, wordColumns: 2 }));
  return chosen.length === 0 ? 1 : 0;
}
