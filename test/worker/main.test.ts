import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { OperationClient } from "../../src/ipc/operation-client.ts";
import type { WorkerParameters } from "../../src/lifecycle/child-contract.ts";
import { SocketDirectory } from "../../src/lifecycle/socket-directory.ts";
import { configureLog } from "../../src/log.ts";
import { runWorker } from "../../src/worker/main.ts";
import { createFixtureHandler } from "../fixtures-lifecycle/fixture-handler.ts";
import { fixtureConfig } from "../fixtures-lifecycle/fixture-server.ts";

configureLog("test", "silent");

function parametersIn(sockets: SocketDirectory): WorkerParameters {
  return {
    role: "worker",
    name: "worker 2/2",
    parentPid: process.pid,
    config: fixtureConfig,
    workerIndex: 1,
    socketPath: sockets.workerSocketPath(1),
  };
}

describe("runWorker", () => {
  test("answers operations on its socket until it is stopped", async () => {
    const sockets = await SocketDirectory.create();
    const parameters = parametersIn(sockets);
    const worker = await runWorker(parameters, async () => createFixtureHandler(1));
    expect([worker.url, worker.port]).toEqual([null, null]);
    const client = await OperationClient.connect(parameters.socketPath);
    const operation = { kind: "get_session", sessionId: "s" } as const;
    const { body } = await client.ask(operation, new Uint8Array(0));
    expect(JSON.parse(new TextDecoder().decode(body as Uint8Array))).toMatchObject({
      workerIndex: 1,
      operation,
    });
    await worker.stop(1_000);
    await client.down;
    expect(existsSync(parameters.socketPath)).toBe(false);
    sockets.remove();
  });

  test("hands its configuration to the core, and rejects when there is none to be had", async () => {
    const sockets = await SocketDirectory.create();
    const parameters = parametersIn(sockets);
    const started = runWorker(parameters, async (config) => {
      expect(config).toBe(parameters.config);
      throw new Error("no such checkpoint");
    });
    await expect(started).rejects.toThrow("no such checkpoint");
    expect(existsSync(parameters.socketPath)).toBe(false);
    sockets.remove();
  });
});
