/**
 * Who dies, how, and while the server does what: every combination, and why some cannot be.
 * docs/guarantees.md has the same table with measured times; the test holds the two against each
 * other.
 */

/** "server" is the process of `--workers 1`; the others belong to two workers. */
export const victims = ["worker", "router", "supervisor", "server", "mock engine"] as const;
export type Victim = (typeof victims)[number];

/** Signals come from outside; the others are what a process does to itself. */
export const deaths = ["SIGKILL", "SIGSEGV", "exit", "reject", "throw", "exhaust"] as const;
export type Death = (typeof deaths)[number];

/**
 * chat: one of each worker waits for the backend. records: a client reads 1 GiB of them. busy: the
 * victim is in a loop that never ends, and a chat waits. neighbour: a worker that is not the victim
 * is in such a loop, and a chat of each worker waits.
 */
export const occupations = ["idle", "chat", "records", "busy", "neighbour"] as const;
export type Occupation = (typeof occupations)[number];

export interface DeathCase {
  readonly victim: Victim;
  readonly death: Death;
  readonly occupation: Occupation;
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

export const occupationNames: Readonly<Record<Occupation, string>> = {
  idle: "idle",
  chat: "in a chat",
  records: "in a 1 GiB GET",
  busy: "busy in a loop",
  neighbour: "beside a busy worker",
};

/** Why there is no such case; null when there is. */
export function obstacle({ victim, death, occupation }: DeathCase): string | null {
  if (occupation === "busy" && !isSignal(death)) return "nothing else runs in it";
  if (occupation === "neighbour" && victim === "server") return "it has no workers";
  if (occupation === "records" && victim === "mock engine") return "no client reads records of it";
  return null;
}

export const deathCases: readonly DeathCase[] = victims
  .flatMap((victim) => deaths.map((death) => ({ victim, death })))
  .flatMap((one) => occupations.map((occupation) => ({ ...one, occupation })))
  .filter((one) => obstacle(one) === null);

/** What the standalone executable is held to as well. */
export const executableCases: readonly DeathCase[] = deathCases.filter(
  ({ death, occupation }) =>
    death === "SIGKILL" && (occupation === "idle" || occupation === "chat"),
);

/** A process that the user started: its own end is that of the program. */
const codesOfTheFirst = {
  SIGKILL: 137,
  SIGSEGV: 139,
  exit: 9,
  reject: 70,
  throw: 70,
  exhaust: 70,
} as const;

/** Exit code of the program; any process but the first is watched: 70, however it ends. */
export function exitCodeOf({ victim, death }: Pick<DeathCase, "victim" | "death">): number {
  return isFirst(victim) ? codesOfTheFirst[death] : 70;
}

/** Whether the victim is the process that the user started. */
export function isFirst(victim: Victim): boolean {
  return victim === "supervisor" || victim === "server";
}

export function isSignal(death: Death): death is "SIGKILL" | "SIGSEGV" {
  return death === "SIGKILL" || death === "SIGSEGV";
}

/** What a process that dies so leaves in the log, as far as the case decides; null for nothing. */
export const lastWords: Readonly<Record<Death, string | null>> = {
  SIGKILL: null,
  SIGSEGV: "Segmentation fault",
  exit: "injected: exit",
  reject: "a forgotten promise",
  throw: "a bug",
  exhaust: "Out of memory",
};

export function titleOf({ victim, death, occupation }: DeathCase): string {
  return `${victim}, ${deathNames[death]}, ${occupationNames[occupation]}`;
}
