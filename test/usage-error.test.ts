import { describe, expect, test } from "bun:test";
import {
  faultSentence,
  inNames,
  memberNames,
  type SettingFault,
  UsageError,
} from "../src/usage-error.ts";

const bare: SettingFault = { setting: "port", relation: null, problem: null, expected: null };
const names = memberNames({ port: 1, host: "h", hfCheckpoint: null, authToken: "secret" });

describe("memberNames()", () => {
  test("gives members with their values, and of a secret only the member", () => {
    expect(names.name("port")).toBe("port");
    expect(names.given("port")).toBe("port 1");
    expect(names.given("host")).toBe('host "h"');
    expect(names.given("hfCheckpoint")).toBe("hfCheckpoint null");
    expect(names.given("authToken")).toBe("authToken");
  });
});

describe("faultSentence()", () => {
  test.each([
    [{ expected: "a port" }, "port 1; expected a port"],
    [{ problem: "it is odd" }, "port 1: it is odd"],
    [{ problem: "it is odd", expected: "2" }, "port 1: it is odd; expected 2"],
    [
      { relation: { kind: "needs", other: "host" }, expected: "a host" },
      "port 1 needs host; expected a host",
    ],
    [
      { relation: { kind: "conflicts with", other: "host" }, problem: "x" },
      'port 1 conflicts with host "h": x',
    ],
  ] as const)("of %j", (fault, sentence) => {
    expect(faultSentence({ ...bare, ...fault }, names)).toBe(sentence);
  });
});

describe("inNames()", () => {
  test("makes the sentence of a fault, as often as it is asked to", () => {
    const found = new UsageError("it is odd", { fault: { setting: "port", problem: "it is odd" } });
    const named = inNames(found, names);
    expect(named).toBeInstanceOf(UsageError);
    expect(named).toMatchObject({ message: "port 1: it is odd", fault: found.fault });
    expect(inNames(named, names)).toMatchObject({ message: "port 1: it is odd" });
  });

  test("leaves everything else alone", () => {
    for (const error of [new Error("x"), new UsageError("a whole sentence"), "thrown"]) {
      expect(inNames(error, names)).toBe(error);
    }
  });
});
