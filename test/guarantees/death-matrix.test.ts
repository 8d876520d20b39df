/**
 * The death of any process, however it comes and whatever it was doing: it is noticed, every client
 * that waits gets an answer or a broken connection, no process and no socket directory is left, the
 * exit code and the log say why.
 *
 * Times count from the deed: the signal, or the call that has the process harm itself. What
 * docs/guarantees.md promises is held with room for a machine that has other work to do: to end
 * takes the processes longer there, and so does the start, which is measured in each case.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mockBackend, serverConfig } from "../../src/config.ts";
import { SessionServerSupervisor } from "../../src/lifecycle/session-server-supervisor.ts";
import { executable } from "../harness/executable.ts";
import { isAlive, type Program, programWords } from "../harness/server-process.ts";
import { Stopwatch } from "../harness/stopwatch.ts";
import { hangMs } from "../harness/time-limit.ts";
import { until } from "../harness/until.ts";
import {
  type DeathCase,
  deathCases,
  executableCases,
  exitCodeOf,
  isFirst,
  isSignal,
  lastWords,
  titleOf,
} from "./death-matrix.cases.ts";
import {
  type DeathTimes,
  documentedMatrix,
  matrixRows,
  summary,
  updateMatrix,
} from "./death-matrix.table.ts";
import { type FaultyServer, injectorPath, makeBusy, startFaultyServer } from "./faulty-server.ts";
import { chatForever, readRecords, startGibibyteBackend, type Waiting } from "./waiting-client.ts";

const noticedMsMax = 1_000;
const clientsKnowMsMax = 1_000;
const nobodyLeftMsMax = 2_000;
/** Starts of a server that its end may take longer than promised; one takes less than 500 ms. */
const startsAllowed = 4;

const backend = startGibibyteBackend();
const measured = new Map<string, DeathTimes>();
afterAll(() => {
  backend.stop();
  console.log(summary(measured));
});

const titled = (cases: readonly DeathCase[]) => cases.map((one) => [titleOf(one), one] as const);

describe("a process dies", () => {
  test.each(titled(deathCases))(
    "%s",
    async (title, one) => {
      measured.set(title, await die(one, "source"));
    },
    hangMs,
  );
});

describe("a process of the executable dies", () => {
  beforeAll(async () => {
    await executable();
  }, hangMs);

  test.each(titled(executableCases))(
    "%s",
    async (_title, one) => {
      await die(one, "executable");
    },
    hangMs,
  );
});

describe("a process hangs at its start", () => {
  test.each(["worker 1/2", "router", "mock engine"])(
    "%s",
    async (name) => {
      // A machine that is too slow for the others to get ready in this time is given twice of it.
      for (let readyMs = 1_000; ; readyMs *= 2) {
        const message = await hangAtStart(name, readyMs);
        if (message === `${name} was not ready within ${readyMs} ms`) break;
        expect(message).toMatch(/ was not ready within \d+ ms$/);
      }
    },
    hangMs,
  );
});

/** Starts a server of which one process never gets ready; why it did not start is returned. */
async function hangAtStart(name: string, readyMs: number): Promise<string> {
  const [runtime = "", ...program] = programWords("source");
  const server = new SessionServerSupervisor(
    serverConfig({ workers: 2, port: 0, backendUrl: mockBackend, logLevel: "silent" }),
    { program: [runtime, "--preload", injectorPath, ...program], limits: { readyMs } },
  );
  using watch = new Stopwatch();
  process.env["HANGS_AT_START"] = name;
  const outcome = await server.start().catch((error: Error) => error);
  delete process.env["HANGS_AT_START"];
  expect(server.children.filter(({ pid }) => isAlive(pid))).toEqual([]);
  // Each of three stages is waited for as long.
  expect(watch.ms).toBeLessThan(3 * readyMs + nobodyLeftMsMax);
  return outcome instanceof Error ? outcome.message : "it started";
}

async function die(one: DeathCase, program: Program): Promise<DeathTimes> {
  using start = new Stopwatch();
  await using server = await startFaultyServer({
    workers: one.victim === "server" ? 1 : 2,
    program,
    ...(one.occupation === "records" ? { backendUrl: backend.url } : {}),
  });
  const startMs = start.ms;
  const waiting = await occupy(server, one);
  const victimPid = server.pidOf(one.victim);
  const { outcomes, times } = await dieAndMeasure(server, one, waiting);

  const roomMs = startsAllowed * startMs;
  expect(times.noticedMs ?? 0).toBeLessThan(noticedMsMax + roomMs);
  expect(times.clientsKnowMs ?? 0).toBeLessThan(clientsKnowMsMax + roomMs);
  expect(times.nobodyLeftMs).toBeLessThan(nobodyLeftMsMax + roomMs);
  expectOutcomes(outcomes, one);
  expect(await server.ended).toBe(exitCodeOf(one));
  expectCause(server.log(), one, victimPid);
  // Who is killed cannot clean up: the next start does (surroundings.test.ts).
  const leavesDirectory = one.victim === "supervisor" && isSignal(one.death);
  expect(server.hasSocketDirectory()).toBe(leavesDirectory);
  return times;
}

/** Brings the server into the state that the case names; what clients wait for is returned. */
async function occupy(server: FaultyServer, one: DeathCase): Promise<Waiting[]> {
  const [session, otherSession] = server.sessions;
  if (session === undefined) throw new Error("a server has a session");
  switch (one.occupation) {
    case "idle":
      return [];
    case "chat": {
      const waiting = server.sessions.map(chatForever);
      // The sessions' workers have asked when they answer what came later.
      for (const each of server.sessions) await each.dump();
      return waiting;
    }
    case "records": {
      expect((await session.chat("a")).status).toBe(200);
      return [await readRecords(session)];
    }
    case "busy": {
      await makeBusy(server, server.pidOf(one.victim));
      return [chatForever(session)];
    }
    case "neighbour": {
      if (otherSession === undefined) throw new Error("the other worker has a session");
      const waiting = [chatForever(session)];
      await session.dump();
      await makeBusy(server, server.pidOf("other worker"));
      return [...waiting, chatForever(otherSession)];
    }
  }
}

async function dieAndMeasure(
  server: FaultyServer,
  { victim, death }: DeathCase,
  waiting: readonly Waiting[],
) {
  const victimPid = server.pidOf(victim);
  using watch = new Stopwatch();
  if (isSignal(death)) process.kill(victimPid, death);
  else server.inject(death, victimPid);
  const after = (event: Promise<unknown>) => event.then(() => watch.ms);

  const noticed = isFirst(victim) ? null : after(until(() => causeLine(server, victimPid)));
  const ended = Promise.all(waiting.map((each) => each.ended));
  const clientsKnow = waiting.length === 0 ? null : after(ended);
  const nobodyLeft = after(until(() => !server.hasProcesses()));
  await until(() => !isAlive(victimPid));
  for (const each of waiting) each.resume();
  const times: DeathTimes = {
    noticedMs: await noticed,
    clientsKnowMs: await clientsKnow,
    nobodyLeftMs: await nobodyLeft,
  };
  return { times, outcomes: await ended };
}

function causeLine(server: FaultyServer, pid: number): boolean {
  return server.log().includes(` (pid ${pid}) `);
}

function expectOutcomes(outcomes: readonly (number | "broken")[], one: DeathCase): void {
  for (const outcome of outcomes) {
    // What had begun can only break off.
    if (one.occupation === "records") expect(outcome).toBe("broken");
    else expect(outcome).toBeOneOf([502, 503, "broken"]);
  }
  if (one.victim === "worker" && typeof outcomes[0] === "number") {
    // Its own clients are told; those of the other worker are let go with the server.
    expect(outcomes[0]).toBe(503);
  }
}

/** One line of the log names the victim, how it ended and what it said last. */
function expectCause(log: string, { victim, death }: DeathCase, pid: number): void {
  const words = lastWords[death];
  if (isFirst(victim)) {
    // Nobody writes a line about it: what it says itself is all there is.
    if (words !== null) expect(log).toContain(words);
    if (death === "reject" || death === "throw" || death === "exhaust") {
      expect(log).toMatch(new RegExp(`session-server: ended by a bug .*${words}`));
    }
    return;
  }
  const name = victim === "worker" ? "worker 1/2" : victim;
  const code = death === "exit" ? 9 : 1;
  const how = isSignal(death) ? `was killed by ${death}` : `ended with exit code ${code}`;
  const line = log.split("\n").find((each) => each.includes(` ${name} (pid ${pid}) ${how}`));
  expect(line).toContain(`ERROR session-server: ${name} (pid ${pid}) ${how}`);
  // Who is killed has said nothing about it; what it said before may stand there.
  if (words !== null) expect(line).toMatch(new RegExp(`last words: .*${words}`));
}

test("docs/guarantees.md lists these deaths and no others", () => {
  // The last test of the file: all that runs was measured.
  if (process.env["UPDATE_DEATH_MATRIX"] === "1") updateMatrix(measured);
  const withoutTimes = documentedMatrix().map((cells) =>
    cells.map((cell) => (/^(-|\d+) \/ (-|\d+) \/ \d+$/.test(cell) ? "times" : cell)),
  );
  expect(withoutTimes).toEqual(matrixRows(() => "times"));
});
