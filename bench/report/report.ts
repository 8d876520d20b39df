/**
 * All that a report shows, whatever its form.
 */
import type { MicroResult } from "../result/micro-result.ts";
import type { ProfileResult } from "../result/profile-result.ts";
import type { RoundResult } from "../result/round-result.ts";
import type { StartupResult } from "../result/startup-result.ts";

export interface Report {
  /** The rounds of each section, newest last; none of them is empty. */
  readonly runs: readonly (readonly RoundResult[])[];
  /** The newest run of the micro benchmarks; null when there is none. */
  readonly micro: MicroResult | null;
  readonly startup: StartupResult | null;
  /** The newest one of each shape. */
  readonly profiles: readonly ProfileResult[];
}
