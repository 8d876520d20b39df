// spec: ARCHITECTURE.md, "Process life"
/**
 * Children that live and die together.
 *
 * Contract   children are started in stages; a stage is ready when all of it is. The first child to
 *            end uninvited is the group's cause of failure, whatever follows, and tears the group
 *            down. Stages are stopped in reverse order, each waited for: a router drains while its
 *            workers still answer. A group that has failed drains for a moment only.
 * Reports    `failed` resolves to the cause; `check` throws it from then on.
 * Limits     childReadyMs a child; stopGraceMs or failureGraceMs for all stages together, and
 *            processGraceMs at least for each.
 */
import { errorText } from "../errors.ts";
import {
  childReadyMs,
  failureGraceMs,
  groupSignalMs,
  processGraceMs,
  stopGraceMs,
} from "../limits.ts";
import { Child, endError } from "./child.ts";
import type { ChildAddress } from "./child-contract.ts";
import type { ChildSpecification } from "./child-specification.ts";

export interface ChildGroupLimits {
  readonly readyMs: number;
  readonly graceMs: number;
  readonly failureGraceMs: number;
}

/** The group was stopped by its owner: nothing can be started or relied on any more. */
export class StoppedError extends Error {
  override readonly name = "StoppedError";
}

export class ChildGroup {
  readonly #limits: ChildGroupLimits;
  readonly #stages: Child[][] = [];
  readonly #failed = Promise.withResolvers<Error>();
  readonly #stopping = Promise.withResolvers<never>();
  #cause: Error | null = null;
  #shutdown: Promise<void> | null = null;

  constructor(limits: Partial<ChildGroupLimits> = {}) {
    this.#limits = { readyMs: childReadyMs, graceMs: stopGraceMs, failureGraceMs, ...limits };
    this.#stopping.promise.catch(() => {});
  }

  get failed(): Promise<Error> {
    return this.#failed.promise;
  }

  /** Every child ever started, in the order of their start. */
  get children(): readonly Child[] {
    return this.#stages.flat();
  }

  /** Throws the cause of failure, or StoppedError once the group is being stopped. */
  check(): void {
    if (this.#cause !== null) throw this.#cause;
    if (this.#shutdown !== null) throw new StoppedError("the session server was stopped");
  }

  /**
   * Starts children side by side and resolves to their addresses when all are ready. Rejects with
   * the cause when the group fails, with StoppedError when it is stopped meanwhile.
   */
  async start(specifications: readonly ChildSpecification[]): Promise<ChildAddress[]> {
    this.check();
    const stage: Child[] = [];
    this.#stages.push(stage);
    try {
      for (const specification of specifications) stage.push(this.#spawn(specification));
      const allReady = Promise.all(stage.map((child) => child.ready));
      return await Promise.race([allReady, this.#stopping.promise]);
    } catch (error) {
      this.#fail(error instanceof Error ? error : new Error(errorText(error)));
      await this.#shutdown;
      throw this.#cause ?? error;
    }
  }

  /** Resolves when no child is left. Idempotent: every call waits for the same end. */
  shutdown(): Promise<void> {
    this.#shutdown ??= this.#stopStages();
    return this.#shutdown;
  }

  #spawn(specification: ChildSpecification): Child {
    const child = new Child(specification, this.#limits.readyMs);
    void this.#watch(child);
    return child;
  }

  async #watch(child: Child): Promise<void> {
    const end = await child.ended;
    // SIGTERM may go to the whole process group or container, and reach a child before us.
    if (end.wasReady && end.exitCode === 0) await Bun.sleep(groupSignalMs);
    this.#fail(endError(child, end));
  }

  /** The first cause wins; an end that was asked for is none. */
  #fail(cause: Error): void {
    if (this.#shutdown !== null) return;
    this.#cause = cause;
    this.#failed.resolve(cause);
    void this.shutdown();
  }

  async #stopStages(): Promise<void> {
    this.#stopping.reject(this.#cause ?? new StoppedError("the session server was stopped"));
    const graceMs = this.#cause === null ? this.#limits.graceMs : this.#limits.failureGraceMs;
    const deadlineMs = performance.now() + graceMs;
    for (const stage of [...this.#stages].reverse()) {
      const remainingMs = Math.max(deadlineMs - performance.now(), processGraceMs);
      await Promise.all(stage.map((child) => child.stop(remainingMs)));
    }
  }
}
