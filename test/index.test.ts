import { expect, test } from "bun:test";
import { type ServerConfig, SessionServerSupervisor } from "../src/index.ts";

const config: ServerConfig = {
  workers: 2,
  host: "127.0.0.1",
  port: 0,
  backendUrl: "mock",
  hfCheckpoint: null,
  titoModel: "default",
  chatTemplatePath: null,
  chatTemplateKwargs: "{}",
  sessionMessageMatcher: "strict",
  useRolloutRoutingReplay: false,
  useRolloutIndexerReplay: false,
  instanceId: "f".repeat(32),
  logLevel: "silent",
};

test.each([1, 2])(
  "SessionServerSupervisor serves %d worker(s) inside another program",
  async (workers) => {
    const server = new SessionServerSupervisor({ ...config, workers });
    expect(() => server.check()).toThrow();
    const { url } = await server.start();
    server.check();
    const health = await fetch(`${url}/health`);
    expect(await health.json()).toEqual({
      status: "ok",
      session_server_instance_id: config.instanceId,
    });
    await Promise.all([server.shutdown(), server.shutdown()]);
    expect(() => server.check()).toThrow();
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  },
  30_000,
);
