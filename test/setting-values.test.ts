import { describe, expect, test } from "bun:test";
import { authTokenCharactersMax, workerCountMax } from "../src/limits.ts";
import {
  type Acceptance,
  authToken,
  backendUrl,
  hostName,
  instanceId,
  isProxyPath,
  jsonObject,
  oneOf,
  pathList,
  tcpPort,
  workerCount,
} from "../src/setting-values.ts";

const cases: readonly [string, Acceptance, readonly string[], readonly string[]][] = [
  [
    "workerCount",
    workerCount,
    ["1", "007", String(workerCountMax)],
    ["", "0", "-1", "+1", "1.5", "1e3", " 2", "2 ", "0x2", "NaN", String(workerCountMax + 1)],
  ],
  ["tcpPort", tcpPort, ["0", "65535"], ["-0", "65536", "9999999999"]],
  ["hostName", hostName, ["localhost", "::1", "10.0.0.1"], ["", "a b", "a/b", "http://a"]],
  [
    "backendUrl",
    backendUrl("mock"),
    ["mock", "http://h", "https://h:1/base/"],
    ["", "h:1", "ftp://h", "http://h?a=1", "http://h#a", "Mock"],
  ],
  ["jsonObject", jsonObject, ["{}", '{"a": [1]}'], ["", "null", "[]", "1", "{"]],
  [
    "authToken",
    authToken,
    ["t", "t".repeat(authTokenCharactersMax)],
    ["", "a b", "\u00e9", "t".repeat(authTokenCharactersMax + 1)],
  ],
  ["instanceId", instanceId, ["0".repeat(32)], ["", "A".repeat(32), "0".repeat(31)]],
  ["pathList", pathList, ["none", "*", "v1/models,/v1/files/*"], ["", "a,,b", "a*b", "a?b", "%2f"]],
  ["oneOf", oneOf(["a", "b"]), ["a", "b"], ["", "c", "A"]],
];

describe.each(cases)("%s", (_name, { accepts, accepted }, good, bad) => {
  test("accepts what it says and nothing else", () => {
    expect(good.filter((text) => !accepts(text))).toEqual([]);
    expect(bad.filter(accepts)).toEqual([]);
    expect(`expected ${accepted}`).toMatch(/^expected \S.*[^.]$/);
  });
});

test("isProxyPath() is one path of such a list", () => {
  expect(isProxyPath("v1/*")).toBe(true);
  expect(isProxyPath("a,b")).toBe(false);
});
