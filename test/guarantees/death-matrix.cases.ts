/**
 * Who dies, how, and while doing what. docs/guarantees.md has the same table with measured times;
 * the test holds the two against each other.
 */
import type { InjectedFault } from "./fault-injector.ts";

/** "server" is the process of `--workers 1`; the others belong to two workers. */
export type Victim = "worker" | "router" | "supervisor" | "mock engine" | "server";
export type Death = "SIGKILL" | "SIGSEGV" | Exclude<InjectedFault, "busy">;
/** busy: a worker (the victim, if it is one) is in a loop that never ends. */
export type Occupation = "idle" | "in a chat" | "busy" | "in a 1 GiB GET";

export interface DeathCase {
  readonly victim: Victim;
  readonly death: Death;
  readonly occupation: Occupation;
  /** Exit code of the program; null when a signal ends it. */
  readonly exitCode: number | null;
}

/** As docs/guarantees.md writes it. */
export const deathNames: Readonly<Record<Death, string>> = {
  SIGKILL: "SIGKILL",
  SIGSEGV: "SIGSEGV",
  exit: "exit(9)",
  reject: "unhandled rejection",
  throw: "uncaught exception",
  exhaust: "out of memory",
};

const injected = ["exit", "reject", "throw", "exhaust"] as const;
const occupations = ["idle", "in a chat", "busy", "in a 1 GiB GET"] as const;

/** A process that others watch: the program ends with 70 whatever happened to it. */
function watched(victim: Victim): DeathCase[] {
  return [
    ...occupations.map((occupation) => ({ death: "SIGKILL" as const, occupation })),
    { death: "SIGSEGV" as const, occupation: "in a chat" as const },
    ...injected.map((death) => ({ death, occupation: "in a chat" as const })),
  ].map((one) => ({ victim, ...one, exitCode: 70 }));
}

/** The process that the user started: its own end is that of the program. */
function first(victim: Victim): DeathCase[] {
  const codes = { SIGKILL: null, SIGSEGV: null, exit: 9, reject: 70, throw: 70, exhaust: 70 };
  return watched(victim).map((one) => ({ ...one, exitCode: codes[one.death] }));
}

export const deathCases: readonly DeathCase[] = [
  ...watched("worker"),
  ...watched("router"),
  ...first("supervisor"),
  { victim: "mock engine", death: "SIGKILL", occupation: "in a chat", exitCode: 70 },
  ...first("server"),
];

export function titleOf({ victim, death, occupation }: DeathCase): string {
  return `${victim}, ${deathNames[death]}, ${occupation}`;
}
