/**
 * One set of cases on every chassis: the single process, four workers behind a router, and both as
 * the standalone executable.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { checkpointDirectory } from "../fixtures/checkpoints.ts";
import { executable } from "../harness/executable.ts";
import { type ScriptedBackend, startScriptedBackend } from "../harness/scripted-backend.ts";
import { type ServerProcess, startServer } from "../harness/server-process.ts";
import { hangMs } from "../harness/time-limit.ts";
import { type Chassis, chassis } from "./chassis.ts";
import { clientProtocolCases } from "./client-protocols.cases.ts";
import { type GoldenScenario, goldenScenarios, replayScenario } from "./golden.cases.ts";
import { type Observation, observingClient, sessionApiCases } from "./session-api.cases.ts";

const cases = [...sessionApiCases, ...clientProtocolCases];

const instanceId = "0123456789abcdef0123456789abcdef";

let backend: ScriptedBackend;

beforeAll(async () => {
  backend = startScriptedBackend();
  await executable();
}, hangMs);

afterAll(() => backend.stop());

function start(place: Chassis, words: string[]): Promise<ServerProcess> {
  const { program, workers } = place;
  return startServer(
    [
      ...["--port", "0", "--workers", String(workers), "--backend-url", backend.url],
      ...["--use-rollout-routing-replay", "--instance-id", instanceId, "--log-level", "error"],
      ...words,
    ],
    { program },
  );
}

/** Scenarios that one server can serve: the same family, matcher and checkpoint. */
function scenarioGroups(): Map<string, GoldenScenario[]> {
  const groups = new Map<string, GoldenScenario[]>();
  for (const scenario of goldenScenarios) {
    const { tito_model, message_matcher, checkpoint } = scenario;
    const key = `${tito_model}, ${message_matcher}, ${checkpoint} tokenizer`;
    groups.set(key, [...(groups.get(key) ?? []), scenario]);
  }
  return groups;
}

describe.each(chassis.map((place) => [place.name, place] as const))("%s", (_name, place) => {
  describe.each([...scenarioGroups()])("golden transcripts (%s)", (_key, scenarios) => {
    let server: ServerProcess;

    beforeAll(async () => {
      const [first] = scenarios;
      if (!first) throw new Error("a group has a scenario");
      server = await start(place, [
        ...["--tito-model", first.tito_model, "--session-message-matcher", first.message_matcher],
        ...["--hf-checkpoint", checkpointDirectory(first.checkpoint)],
      ]);
    }, hangMs);

    afterAll(() => server.stop());

    test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
      "%s",
      (_scenario, scenario) => replayScenario(scenario, server.url, backend),
    );
  });
});

describe("session API", () => {
  const observations = new Map<string, Map<string, Observation[]>>();

  describe.each(chassis.map((place) => [place.name, place] as const))("%s", (_name, place) => {
    const seen = new Map<string, Observation[]>();
    let server: ServerProcess;

    beforeAll(async () => {
      observations.set(place.name, seen);
      server = await start(place, ["--hf-checkpoint", checkpointDirectory("qwen3")]);
    }, hangMs);

    afterAll(async () => {
      expect(await server.stop()).toBe(0);
    });

    test.each(cases.map((one) => [...one] as const))("%s", async (title, run) => {
      const list: Observation[] = [];
      seen.set(title, list);
      await run(observingClient(server.url, backend, list));
    });
  });

  const [reference, ...others] = chassis.map((place) => place.name);
  describe.each(others)(`%s answers like ${reference}`, (name) => {
    test.each(cases.map(([title]) => title))("%s", (title) => {
      const expected = observations.get(reference ?? "")?.get(title);
      expect(expected?.length).toBeGreaterThan(0);
      expect(observations.get(name)?.get(title)).toEqual(expected ?? []);
    });
  });
});
