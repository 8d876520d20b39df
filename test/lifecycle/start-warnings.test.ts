import { describe, expect, test } from "bun:test";
import { mockBackend, type ServerConfig } from "../../src/config.ts";
import { startWarnings } from "../../src/lifecycle/start-warnings.ts";
import { openFilesMin } from "../../src/limits.ts";
import { memberNames } from "../../src/usage-error.ts";
import { fixtureConfig } from "../fixtures-lifecycle/fixture-server.ts";

const names = memberNames({});

function warnings(config: Partial<ServerConfig>, openFiles: number | null = null): string[] {
  return startWarnings({ ...fixtureConfig, ...config }, names, openFiles);
}

describe("startWarnings()", () => {
  test("says nothing when there is nothing to say", () => {
    for (const host of ["127.0.0.1", "127.1.2.3", "localhost", "::1"]) {
      expect(warnings({ host })).toEqual([]);
    }
    const guarded = { host: "0.0.0.0", authToken: "t", proxyPaths: ["v1/*"] };
    expect(warnings(guarded, openFilesMin)).toEqual([]);
  });

  test("tells a stand-in from the real thing", () => {
    expect(warnings({ backendUrl: mockBackend, hfCheckpoint: null })).toEqual([
      expect.stringContaining("built-in mock engine"),
      expect.stringContaining("bundled demo tokenizer"),
    ]);
  });

  test("doubts a backend that ends as the base URL of a client does", () => {
    expect(warnings({ backendUrl: "http://sglang:30000/v1" })).toEqual([
      expect.stringContaining("ends in /v1: turns are asked at /v1/v1/chat/completions"),
    ]);
    expect(warnings({ backendUrl: "http://sglang:30000/v1/x" })).toEqual([]);
  });

  test.each(["0.0.0.0", "::", "10.0.0.1", "gpu-7"])("names the open doors of %s", (host) => {
    expect(warnings({ host })).toEqual([
      `no authToken: whoever reaches ${host} may use this server`,
      expect.stringMatching(/^proxyPaths is "\*": .* weights and caches included$/),
    ]);
    expect(warnings({ host, authToken: "t" })).toHaveLength(1);
    expect(warnings({ host, proxyPaths: [] })).toHaveLength(1);
  });

  test("advises more open files below the minimum", () => {
    expect(warnings({}, openFilesMin)).toEqual([]);
    expect(warnings({}, openFilesMin - 1)).toEqual([
      "ulimit -n is 4095: chats beyond it fail with 502; 4096 or more is advised",
    ]);
  });
});
