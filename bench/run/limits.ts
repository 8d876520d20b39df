/**
 * What can be received without a server: the limits of the moment, before a round's server and
 * after it, of which the better ones count.
 *
 * Contract   `socket` is the limit: the best that receivers can do which drop what comes, the load
 *            or as many processes as the server has workers. `fetch` is the load on Bun's HTTP
 *            client: for comparison, since a server with a client of its own may do better.
 */
import type { DirectTally, ReceivingWay } from "../load/direct.ts";
import { LoadGroup } from "../load/load-group.ts";
import type { ChildProcesses } from "../process/child-processes.ts";
import type { LimitResult, Limits } from "../result/round-result.ts";
import { round as rounded } from "../result/statistics.ts";
import type { Target } from "../target/target.ts";

/** Passes that take less in sum are repeated: the first ones compile code and map memory. */
const passesMsMin = 400;
const passesMax = 20;

export interface LimitSettings {
  readonly engineUrl: string;
  readonly sessions: number;
  readonly workloadDirectory: string;
}

export class LimitMeter {
  readonly #settings: LimitSettings;
  readonly #load: LoadGroup;
  /** As many processes as the server has workers, where those are several. */
  readonly #parallel: LoadGroup | null;

  private constructor(settings: LimitSettings, load: LoadGroup, parallel: LoadGroup | null) {
    this.#settings = settings;
    this.#load = load;
    this.#parallel = parallel;
  }

  /** @param load is used between other commands, and not stopped here */
  static async start(
    processes: ChildProcesses,
    target: Target,
    load: LoadGroup,
    settings: LimitSettings,
  ): Promise<LimitMeter> {
    const workers = target.kind === "program" ? target.workers : 1;
    const count = Math.min(workers, navigator.hardwareConcurrency);
    const parallel =
      count === 1 ? null : await LoadGroup.start(processes, count, settings.workloadDirectory);
    return new LimitMeter(settings, load, parallel);
  }

  async measure(): Promise<Limits> {
    const bySocket = [await this.#fastest(this.#load, "socket")];
    if (this.#parallel !== null) bySocket.push(await this.#fastest(this.#parallel, "socket"));
    return { socket: fasterOf(bySocket), fetch: await this.#fastest(this.#load, "fetch") };
  }

  async stop(): Promise<void> {
    await this.#parallel?.stop();
  }

  /** The fastest of several passes, or the only one when it was long. */
  async #fastest(receiver: LoadGroup, way: ReceivingWay): Promise<LimitResult> {
    const { engineUrl, sessions } = this.#settings;
    const passes: LimitResult[] = [];
    let spentMs = 0;
    while (passes.length === 0 || (spentMs < passesMsMin && passes.length < passesMax)) {
      const tally = await receiver.receiveDirectly(engineUrl, way, sessions);
      spentMs += tally.wallMs;
      passes.push(limitOf(tally));
    }
    return fasterOf(passes);
  }
}

/** The better of two measurements of the same limits. */
export function betterLimits(left: Limits, right: Limits): Limits {
  return {
    socket: fasterOf([left.socket, right.socket]),
    fetch: fasterOf([left.fetch, right.fetch]),
  };
}

function fasterOf(results: readonly LimitResult[]): LimitResult {
  return results.reduce((best, one) => (one.bytesPerSecond > best.bytesPerSecond ? one : best));
}

function limitOf(tally: DirectTally): LimitResult {
  const seconds = tally.wallMs / 1000;
  return {
    turnsPerSecond: rounded(tally.turns / seconds),
    bytesPerSecond: Math.round(tally.replyBytes / seconds),
    cpuMsPerTurn: rounded(tally.cpuMs / tally.turns),
  };
}
