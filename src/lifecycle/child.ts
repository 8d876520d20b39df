// spec: ARCHITECTURE.md, "Process life"
/**
 * One child process from spawn to end.
 *
 *   starting ──ready message──> ready
 *      └──────── stop() ──────────┴────> stopping        every state ──exit──> ended
 *
 * Contract   `ready` settles once; `ended` resolves once and never rejects. `stop` sends SIGTERM,
 *            then SIGKILL when the grace is over; calling it again waits for the same end.
 * Reports    `ready` rejects when the child ends first or takes too long; `ended` tells how. The
 *            log warns of a child that served and had to be killed.
 * Limits     childReadyMs by default, stderrAfterEndMs. Spawn from the main thread only: the kernel
 *            ties a child's life to the thread that started it.
 */
import { errorText } from "../errors.ts";
import { childReadyMs, stderrAfterEndMs } from "../limits.ts";
import { log } from "../log.ts";
import { UsageError } from "../usage-error.ts";
import type { ChildAddress, ChildMessage, ReportedFailure } from "./child-contract.ts";
import type { ChildSpecification } from "./child-specification.ts";
import { LastWords } from "./last-words.ts";

export interface ChildEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Whether it had reported ready. */
  readonly wasReady: boolean;
  /** What it reported itself; null when it could not. */
  readonly failure: ReportedFailure | null;
  /** What it reported, else the last lines of its stderr, else "". */
  readonly lastWords: string;
}

export type ChildState =
  | { readonly kind: "starting" }
  | { readonly kind: "ready"; readonly address: ChildAddress }
  | { readonly kind: "stopping" }
  | { readonly kind: "ended"; readonly end: ChildEnd };

export class Child {
  readonly name: string;
  readonly #process: Bun.Subprocess<"pipe", 2, "pipe">;
  readonly #ready = Promise.withResolvers<ChildAddress>();
  readonly #ended: Promise<ChildEnd>;
  readonly #lastWords = new LastWords();
  readonly #readyTimer: Timer;
  #failure: ReportedFailure | null = null;
  #wasReady = false;
  #hasStopped = false;
  #state: ChildState = { kind: "starting" };

  /** Starts the process; throws the system's error when it cannot. */
  constructor(specification: ChildSpecification, readyMs = childReadyMs) {
    this.name = specification.name;
    this.#process = this.#spawn(specification);
    this.#readyTimer = setTimeout(() => {
      this.#ready.reject(new Error(`${this.name} was not ready within ${readyMs} ms`));
    }, readyMs);
    // Whoever does not wait for readiness still learns of the end.
    this.#ready.promise.catch(() => {});
    this.#ended = this.#watch();
  }

  get pid(): number {
    return this.#process.pid;
  }

  get state(): ChildState {
    return this.#state;
  }

  get ready(): Promise<ChildAddress> {
    return this.#ready.promise;
  }

  get ended(): Promise<ChildEnd> {
    return this.#ended;
  }

  async stop(graceMs: number): Promise<ChildEnd> {
    if (this.#state.kind === "starting" || this.#state.kind === "ready") {
      this.#state = { kind: "stopping" };
      this.#process.kill("SIGTERM");
      const askedMs = performance.now();
      const kill = setTimeout(() => this.#killStubborn(performance.now() - askedMs), graceMs);
      void this.#process.exited.then(() => clearTimeout(kill));
    }
    return this.#ended;
  }

  /**
   * What it still had to answer is lost: whoever asks why finds it in the log. One that was busy
   * with its start had nothing to answer, and one that has stopped only waits for the kernel, which
   * takes a tenth of a second to free a GiB.
   */
  #killStubborn(waitedMs: number): void {
    if (this.#wasReady && !this.#hasStopped) {
      log.warn(
        `${this.name} (pid ${this.pid}) did not stop within ${Math.round(waitedMs)} ms: killed`,
      );
    }
    this.#process.kill("SIGKILL");
  }

  #spawn(specification: ChildSpecification): Bun.Subprocess<"pipe", 2, "pipe"> {
    try {
      return Bun.spawn([...specification.argv], {
        argv0: specification.argv0,
        env: specification.environment,
        // stdin: its end tells the child that we are gone. stdout: ours stays machine-readable.
        stdio: ["pipe", 2, "pipe"],
        ipc: (message: ChildMessage) => this.#take(message),
      });
    } catch (error) {
      // The system's message names argv0, which is no file.
      const command = specification.argv.join(" ");
      throw new Error(`${this.name} could not be run as ${command}: ${errorText(error)}`, {
        cause: error,
      });
    }
  }

  #take(message: ChildMessage): void {
    if (message.type === "failed") {
      const { type: _, ...failure } = message;
      this.#failure = failure;
    } else if (message.type === "stopped") {
      this.#hasStopped = true;
    } else if (this.#state.kind === "starting") {
      const address = { url: message.url, port: message.port };
      clearTimeout(this.#readyTimer);
      this.#wasReady = true;
      this.#state = { kind: "ready", address };
      this.#ready.resolve(address);
    }
  }

  async #watch(): Promise<ChildEnd> {
    // Losing sight of a child's words is no reason to end a server: its exit is what counts.
    const words = this.#lastWords
      .follow(this.#process.stderr, (chunk) => process.stderr.write(chunk))
      .catch((error: unknown) => log.warn(`the stderr of ${this.name} is lost`, error));
    await this.#process.exited;
    clearTimeout(this.#readyTimer);
    await Promise.race([words, Bun.sleep(stderrAfterEndMs)]);
    const end: ChildEnd = {
      exitCode: this.#process.exitCode,
      signal: this.#process.signalCode === null ? null : String(this.#process.signalCode),
      wasReady: this.#wasReady,
      failure: this.#failure,
      lastWords: this.#failure?.message ?? this.#lastWords.text,
    };
    this.#state = { kind: "ended", end };
    this.#ready.reject(endError(this, end));
    return end;
  }
}

/**
 * The end of a child as an error of one line: a setting that does not do is told as such, what else
 * kept it from its start with its name, and any other end with its whole story.
 */
export function endError(child: { name: string; pid: number }, end: ChildEnd): Error {
  const { failure, wasReady } = end;
  if (failure === null || failure.isBug || wasReady) return new Error(describeEnd(child, end));
  const { message, fault } = failure;
  return fault === null
    ? new Error(`${child.name}: ${message}`)
    : new UsageError(message, { fault });
}

/** One line: who ended, how, when, and what it said. */
function describeEnd(child: { name: string; pid: number }, end: ChildEnd): string {
  const how =
    end.signal === null ? `ended with exit code ${end.exitCode}` : `was killed by ${end.signal}`;
  const when = end.wasReady ? "" : " before it was ready";
  const words = end.lastWords === "" ? "it left no last words" : `last words: ${end.lastWords}`;
  return `${child.name} (pid ${child.pid}) ${how}${when}; ${words}`;
}
