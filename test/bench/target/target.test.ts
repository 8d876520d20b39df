import { describe, expect, test } from "bun:test";
import { parseTarget, repository } from "../../../bench/target/target.ts";

const program = (path: string) => [process.execPath, "run", `${path}/src/supervisor.ts`];

describe("parseTarget()", () => {
  test("reads this server from source, of this or another checkout", () => {
    expect(parseTarget("bun")).toMatchObject({ argv: program(repository), workers: 1 });
    expect(parseTarget("bun:4")).toMatchObject({ argv: program(repository), workers: 4 });
    expect(parseTarget("bun:2@/other")).toMatchObject({ argv: program("/other"), workers: 2 });
  });

  test("reads the executable", () => {
    expect(parseTarget("executable:2")).toMatchObject({
      argv: [`${repository}/dist/session-server`],
      workers: 2,
    });
    expect(parseTarget("executable@/bin/it")).toMatchObject({ argv: ["/bin/it"], workers: 1 });
  });

  test("reads a server that runs already, with its process ids", () => {
    expect(parseTarget("url:http://127.0.0.1:8000#12,13")).toMatchObject({
      url: "http://127.0.0.1:8000",
      pids: [12, 13],
    });
    expect(parseTarget("url:http://peer:1/")).toMatchObject({ url: "http://peer:1", pids: [] });
  });

  test("reads a command", () => {
    expect(parseTarget("command:serve --port {port}")).toMatchObject({
      words: ["serve", "--port", "{port}"],
    });
  });

  test("gives a target the name that stands before it", () => {
    expect(parseTarget("before=bun:2@/other")).toMatchObject({ label: "before", workers: 2 });
    expect(parseTarget("bun:2").label).toBe("bun:2");
    expect(parseTarget("command:serve --port={port}").label).toBe("command:serve --port={port}");
  });

  for (const label of ["", "bun:", "bun:0", "bun:x", "url:nowhere", "url:http://a#x", "command:"]) {
    test(`refuses "${label}" with a sentence`, () => {
      expect(() => parseTarget(label)).toThrow("expected");
    });
  }
});
