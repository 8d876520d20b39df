// spec: ARCHITECTURE.md, "Process life"
/**
 * What a supervisor and its children agree on: the roles, what each role is told at its start, and
 * what it reports back. The only file of this folder that a role imports.
 *
 * Contract   a child's role is the only word of its command line; its parameters are one JSON
 *            object in one environment variable. It reports over Bun's IPC channel: `ready` once,
 *            `failed` before it ends on its own, `stopped` before it ends because it was asked to.
 *            End of its stdin asks it to stop, like SIGTERM.
 * Not here   how children are started (child-specification.ts, child.ts) and how a role lives as a
 *            child (life-as-child.ts).
 */
import type { ServerConfig } from "../config.ts";
import type { SettingFault } from "../usage-error.ts";

const childRoles = ["worker", "router", "single", "mock-engine"] as const;
export type ChildRole = (typeof childRoles)[number];

/** Holds the JSON of `ChildParameters`; its presence is what makes a process a child. */
export const childParametersVariable = "SESSION_SERVER_CHILD";

interface EveryChild {
  /** As `ps` and error messages name it, without the program: "worker 3/16". */
  readonly name: string;
  /** A child whose parent has another pid was orphaned before it could notice. */
  readonly parentPid: number;
  readonly config: ServerConfig;
}

export interface WorkerParameters extends EveryChild {
  readonly role: "worker";
  /** Which shard of `config.workers` it owns, from 0. */
  readonly workerIndex: number;
  /** The Unix socket it listens on. */
  readonly socketPath: string;
}

export interface RouterParameters extends EveryChild {
  readonly role: "router";
  /** One Unix socket a worker, in the order of their indexes. */
  readonly workerSocketPaths: readonly string[];
  /** TCP ports where the workers give out records, in the same order; null when they do not. */
  readonly recordsPorts: readonly number[] | null;
}

export interface SingleParameters extends EveryChild {
  readonly role: "single";
}

export interface MockEngineParameters extends EveryChild {
  readonly role: "mock-engine";
}

export type ChildParameters =
  | WorkerParameters
  | RouterParameters
  | SingleParameters
  | MockEngineParameters;

/** Where a child can be reached by HTTP; nulls for one that has no HTTP listener. */
export interface ChildAddress {
  readonly url: string | null;
  readonly port: number | null;
}

export type ChildMessage =
  | ({ readonly type: "ready" } & ChildAddress)
  | ({ readonly type: "failed" } & ReportedFailure)
  /** Nothing is left to answer; the kernel still has to take its memory back. */
  | { readonly type: "stopped" };

/** What a child says of its own end. */
export interface ReportedFailure {
  readonly message: string;
  /** Whether nobody expected it: then the child has logged where it happened. */
  readonly isBug: boolean;
  /** The setting that does not do; null when it is something else. */
  readonly fault: SettingFault | null;
}

/** A role that has started: what the process that runs it needs to know. */
export interface RunningRole extends ChildAddress {
  /** Finishes what is in flight for at most `graceMs`, then lets go of everything. */
  stop(graceMs: number): Promise<void>;
  /** Resolves when the role can no longer do its work; the process must end. */
  readonly failed?: Promise<Error>;
}

/**
 * The parameters of this process when a supervisor started it, else null.
 * The environment is a parent's word, not a client's: malformed JSON throws.
 */
export function readChildParameters(
  environment: Readonly<Record<string, string | undefined>>,
): ChildParameters | null {
  const text = environment[childParametersVariable];
  if (text === undefined || text === "") return null;
  const parameters = JSON.parse(text) as ChildParameters;
  if (!childRoles.includes(parameters.role)) {
    throw new Error(`${childParametersVariable} names an unknown role: ${parameters.role}`);
  }
  return parameters;
}
