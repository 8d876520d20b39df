import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { serverConfig } from "../../src/config.ts";
import { type ChildParameters, readChildParameters } from "../../src/lifecycle/child-contract.ts";
import {
  mockEngineParameters,
  ownProgram,
  specifyChild,
} from "../../src/lifecycle/child-specification.ts";
import { fixtureConfig } from "../fixtures-lifecycle/fixture-server.ts";

const parameters: ChildParameters = {
  role: "worker",
  name: "worker 3/16",
  parentPid: process.pid,
  config: fixtureConfig,
  workerIndex: 2,
  socketPath: "/tmp/worker-2.sock",
};

describe("specifyChild", () => {
  test("makes the role the last word, and the name what ps shows", () => {
    const specification = specifyChild(["program", "file"], parameters);
    expect(specification.argv).toEqual(["program", "file", "worker"]);
    expect(specification.argv0).toBe("session-server worker 3/16");
  });

  test("hands the parameters over in the environment", () => {
    const { environment } = specifyChild(["program"], parameters);
    expect(readChildParameters(environment)).toEqual(parameters);
  });

  test("inherits the environment but for what would change the runtime", () => {
    const inherited = {
      PATH: "/bin",
      GONE: undefined,
      BUN_OPTIONS: "--smol",
      BUN_BE_BUN: "1",
      BUN_FEATURE_FLAG_NO_ORPHANS: "0",
    };
    const { SESSION_SERVER_CHILD: _, ...rest } = specifyChild(
      [],
      parameters,
      inherited,
    ).environment;
    expect(rest).toEqual({
      PATH: "/bin",
      BUN_FEATURE_FLAG_NO_ORPHANS: "1",
    });
  });
});

test("ownProgram is the runtime and a program file that is there, from wherever it is asked", () => {
  const [runtime, file] = ownProgram();
  expect(runtime).toBe(process.execPath);
  expect(file).toEndWith("/src/supervisor.ts");
  expect(existsSync(file ?? "")).toBe(true);
});

test("mockEngineParameters() keep the token from a process that needs none", () => {
  const config = serverConfig({ authToken: "secret", workers: 1 });
  const parameters = mockEngineParameters(config);
  expect(parameters.config).toEqual({ ...config, authToken: null });
  expect(JSON.stringify(specifyChild([], parameters))).not.toContain("secret");
});
