/**
 * The death of any process, however it comes and whatever it was doing: every client that waits
 * gets an answer or a broken connection, no process is left, the exit code and the log say why.
 *
 * Times count from the moment at which the victim is seen dead. They are printed as the rows of
 * docs/guarantees.md. What it promises is held with room for a machine that has other work to do:
 * to end takes the processes longer there, and so does the start, which is measured in each case.
 */
import { afterAll, expect, test } from "bun:test";
import { isAlive } from "../harness/server-process.ts";
import { Stopwatch } from "../harness/stopwatch.ts";
import { hangMs } from "../harness/time-limit.ts";
import { until } from "../harness/until.ts";
import { type DeathCase, deathCases, deathNames, titleOf } from "./death-matrix.cases.ts";
import { documentedTable } from "./documented-table.ts";
import {
  chatForever,
  type FaultyServer,
  makeBusy,
  readDump,
  startFaultyServer,
  startGibibyteBackend,
  type Waiting,
} from "./faulty-server.ts";

const clientKnowsMs = 1_000;
const nobodyLeftMs = 2_000;
/** Starts of a server that its end may take longer than promised; one takes less than 500 ms. */
const startsAllowed = 4;

const rows: string[] = [];
afterAll(() => console.log(rows.join("\n")));

test.each(deathCases.map((one) => [titleOf(one), one] as const))(
  "%s",
  async (_title, one) => {
    const backend = one.occupation === "in a 1 GiB GET" ? startGibibyteBackend() : null;
    try {
      using watch = new Stopwatch();
      await using server = await startFaultyServer({
        workers: one.victim === "server" ? 1 : 2,
        fault: one.occupation === "busy" ? "busy" : one.death,
        ...(backend === null ? {} : { backendUrl: backend.url }),
      });
      await dieAndMeasure(server, one, watch.ms);
    } finally {
      backend?.stop();
    }
  },
  hangMs,
);

/** @param startMs what the start of the server took, as a measure of the machine */
async function dieAndMeasure(server: FaultyServer, one: DeathCase, startMs: number) {
  const waiting = await occupy(server, one);
  const victimPid = server.pidOf(one.victim);
  process.kill(victimPid, one.death.startsWith("SIG") ? (one.death as "SIGKILL") : "SIGUSR2");
  await until(() => !isAlive(victimPid));
  using watch = new Stopwatch();
  const gone = until(() => ![server.pid, ...server.childPids].some(isAlive));
  const goneMs = gone.then(() => watch.ms);
  const outcomes = await Promise.all(waiting.map(({ ended }) => ended));
  const knowsMs = waiting.length === 0 ? 0 : watch.ms;
  const code = await server.exited;

  const nobodyMs = await goneMs;
  expect(knowsMs).toBeLessThan(clientKnowsMs + startsAllowed * startMs);
  expect(nobodyMs).toBeLessThan(nobodyLeftMs + startsAllowed * startMs);
  if (one.exitCode === null) expect(code).toBeGreaterThan(128);
  else expect(code).toBe(one.exitCode);
  for (const outcome of outcomes) expect(outcome).toBeOneOf([502, 503, "broken"]);
  if (one.victim === "worker" && one.occupation === "in a chat") {
    // Its own clients are told; those of the other worker are let go with the server.
    expect(outcomes[0]).toBe(503);
  }
  expectCause(server.log(), one, victimPid);
  const known = waiting.length === 0 ? "-" : `${Math.ceil(knowsMs)} ms`;
  rows.push(
    `| ${one.victim} | ${deathNames[one.death]} | ${one.occupation} | ` +
      `${one.exitCode ?? "by the signal"} | ${known} | ${Math.ceil(nobodyMs)} ms |`,
  );
}

/** Brings the server into the state that the case names; what clients wait for is returned. */
async function occupy(server: FaultyServer, one: DeathCase): Promise<Waiting[]> {
  const [session] = server.sessions;
  if (session === undefined) throw new Error("a server has a session");
  switch (one.occupation) {
    case "idle":
      return [];
    case "in a chat": {
      const waiting = server.sessions.map(chatForever);
      // The sessions' workers have asked when they answer what came later.
      for (const each of server.sessions) await each.dump();
      return waiting;
    }
    case "busy": {
      const isProcessOfRequests = one.victim === "router" || one.victim === "server";
      await makeBusy(server, server.pidOf(isProcessOfRequests ? one.victim : "worker"));
      return [chatForever(session)];
    }
    case "in a 1 GiB GET": {
      expect((await session.chat("a")).status).toBe(200);
      return [await readDump(session)];
    }
  }
}

/** One line of the log names the victim, how it ended and what it said last. */
function expectCause(log: string, { victim, death }: DeathCase, pid: number): void {
  const name = victim === "worker" ? "worker 1/2" : victim;
  const words = { reject: "a forgotten promise", throw: "a bug", exhaust: "Out of memory" };
  const said = death in words ? words[death as keyof typeof words] : null;
  if (victim === "supervisor" || victim === "server") {
    // Who is killed has no say; whoever is left of its group says nothing that could mislead.
    if (said !== null) expect(log).toMatch(new RegExp(`session-server: ended by a bug .*${said}`));
    return;
  }
  const line = log
    .split("\n")
    .find((each) => each.includes(` session-server: ${name} (pid ${pid})`));
  const how = death.startsWith("SIG") ? `was killed by ${death}` : "ended with exit code";
  expect(line).toContain(`ERROR session-server: ${name} (pid ${pid}) ${how}`);
  if (said !== null) expect(line).toContain(`last words: ${said}`);
}

test("docs/guarantees.md lists these deaths and no others", () => {
  const documented = documentedTable("docs/guarantees.md", "who");
  expect(documented.map((cells) => cells.slice(0, 4))).toEqual(
    deathCases.map(({ victim, death, occupation, exitCode }) => [
      victim,
      deathNames[death],
      occupation,
      String(exitCode ?? "by the signal"),
    ]),
  );
});
