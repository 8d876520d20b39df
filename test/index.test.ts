import { expect, test } from "bun:test";
import { SessionServerSupervisor, serverConfig } from "../src/index.ts";
import { hangMs } from "./harness/time-limit.ts";

const config = serverConfig({ port: 0, instanceId: "f".repeat(32), logLevel: "silent" });

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
  hangMs,
);
