import { expect, test } from "bun:test";
import { serverConfig } from "../../src/config.ts";
import type { MockEngineParameters } from "../../src/lifecycle/child-contract.ts";
import { runMockEngine } from "../../src/mock-engine/main.ts";

const parameters: MockEngineParameters = {
  role: "mock-engine",
  name: "mock engine",
  parentPid: process.ppid,
  config: serverConfig({ port: 0, logLevel: "warn" }),
};

test("runMockEngine() reports where it answers, and stops", async () => {
  const role = await runMockEngine(parameters);
  expect(role.url).toBe(`http://127.0.0.1:${role.port}`);
  expect((await fetch(`${role.url}/health`)).status).toBe(200);
  await role.stop(0);
  await expect(fetch(`${role.url}/health`)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("runMockEngine() rejects when the checkpoint cannot be read", async () => {
  const config = { ...parameters.config, hfCheckpoint: "/nonexistent" };
  await expect(runMockEngine({ ...parameters, config })).rejects.toThrow("/nonexistent");
});
