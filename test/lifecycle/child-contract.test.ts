import { describe, expect, test } from "bun:test";
import {
  type ChildParameters,
  childParametersVariable,
  readChildParameters,
} from "../../src/lifecycle/child-contract.ts";
import { fixtureConfig } from "../fixtures-lifecycle/fixture-server.ts";

const parameters: ChildParameters = {
  role: "router",
  name: "router",
  parentPid: 1,
  config: fixtureConfig,
  workerSocketPaths: ["/a", "/b"],
  recordsPorts: null,
};

describe("readChildParameters", () => {
  test("gives back what a parent wrote", () => {
    const environment = { [childParametersVariable]: JSON.stringify(parameters) };
    expect(readChildParameters(environment)).toEqual(parameters);
  });

  test("is null for a process that a user started", () => {
    expect(readChildParameters({})).toBeNull();
    expect(readChildParameters({ [childParametersVariable]: "" })).toBeNull();
  });

  test("throws on a role that is none and on text that is no JSON", () => {
    for (const text of ["{", JSON.stringify({ ...parameters, role: "cook" })]) {
      expect(() => readChildParameters({ [childParametersVariable]: text })).toThrow();
    }
  });
});
