/**
 * The workload against a real server: what the bytes claim is what the server makes of them.
 */
import { afterAll, expect, test } from "bun:test";
import { type EngineServer, startEngineServer } from "../../../bench/engine/server.ts";
import { Agent } from "../../../bench/load/agent.ts";
import { emptyChatTally } from "../../../bench/load/tally.ts";
import { ChildProcesses } from "../../../bench/process/child-processes.ts";
import { launch } from "../../../bench/target/launch.ts";
import { parseTarget } from "../../../bench/target/target.ts";
import { findShape, type Shape } from "../../../bench/workload/shape.ts";
import { loadWorkload, storeWorkload } from "../../../bench/workload/workload.ts";
import { checkpointDirectory, testCheckpoint } from "../../fixtures/checkpoints.ts";
import { hangMs } from "../../harness/time-limit.ts";

const processes = new ChildProcesses();
const cleanUps: (() => void)[] = [];

afterAll(async () => {
  await processes.stopAll();
  for (const cleanUp of cleanUps) cleanUp();
});

async function startEngine(shape: Shape) {
  const stored = await storeWorkload(shape, 1, await testCheckpoint("qwen3"));
  const workload = await loadWorkload(stored.directory);
  const engine: EngineServer = startEngineServer(workload, 0);
  cleanUps.push(() => engine.stop(), stored.remove);
  return { workload, backendUrl: `http://127.0.0.1:${engine.port}`, summary: stored.summary };
}

interface Records {
  readonly records: readonly {
    readonly request: { readonly input_ids: readonly number[] };
    readonly response: {
      readonly usage: { readonly prompt_tokens: number };
      readonly choices: readonly { readonly meta_info: { readonly routed_experts: string } }[];
    };
  }[];
  readonly metadata: {
    readonly accumulated_token_ids: readonly number[];
    readonly tito_session_mismatch: readonly unknown[];
  };
}

for (const name of ["smoke", "agentic"]) {
  test(
    `the ${name} shape has the tokens that a server counts, and no mismatch`,
    async () => {
      const shape = { ...(findShape(name) as Shape), sessions: 1, turns: 4, toolResultTokens: 0 };
      if (name === "agentic") shape.toolResultTokens = 100;
      const { workload, backendUrl, summary } = await startEngine(shape);
      const settings = {
        backendUrl,
        checkpointDirectory: checkpointDirectory("qwen3"),
        usesR3: true,
        serverFlags: [],
      };
      const server = await launch(parseTarget("bun:1"), settings, processes);
      const tally = emptyChatTally();
      const agent = new Agent(workload, 0, server.url, tally);
      await agent.createSession();
      await agent.chat(() => {});
      agent.close();
      expect(tally.failures).toEqual({});
      const response = await fetch(`${server.url}/sessions/${agent.sessionId}`);
      const { records, metadata } = (await response.json()) as Records;
      expect(records).toHaveLength(shape.turns);
      for (const { request, response: reply } of records) {
        expect(request.input_ids).toHaveLength(reply.usage.prompt_tokens);
      }
      expect(metadata.accumulated_token_ids).toHaveLength(summary.tokens);
      expect(metadata.tito_session_mismatch).toEqual([]);
      const payloads = records.map(
        (record) => record.response.choices[0]?.meta_info.routed_experts,
      );
      expect(payloads.join("")).toHaveLength(summary.payloadCharacters);
      await server.stop();
    },
    hangMs,
  );
}

test("launch() takes a command that is ready when it is healthy, and a URL that is", async () => {
  const { backendUrl } = await startEngine(findShape("smoke") as Shape);
  const program = `
    const [, port, backend] = process.argv;
    Bun.serve({ port: Number(port), fetch: () => new Response(backend) });
  `;
  const target = {
    kind: "command",
    label: "command",
    words: [process.execPath, "-e", program, "{port}", "{backend}"],
  } as const;
  const settings = { backendUrl, checkpointDirectory: "", usesR3: false, serverFlags: [] };
  const started = await launch(target, settings, processes);
  expect(await (await fetch(started.url)).text()).toBe(backendUrl);

  const label = `url:${started.url}#${started.pids[0]}`;
  const running = await launch(parseTarget(label), settings, processes);
  expect(running).toMatchObject({ url: started.url, pids: started.pids });
  await running.stop();
  expect((await fetch(started.url)).status).toBe(200);

  await started.stop();
  expect(await started.ended).toBe("signal SIGTERM");
});
