import { expect, test } from "bun:test";
import { type MockEngineOptions, settle } from "../../src/mock-engine/options.ts";

test("settle() leaves nothing open and keeps what is given", () => {
  expect(Object.values(settle({}))).not.toContain(undefined);
  const given = { host: "::1", port: 5, latencyMs: 7, created: 0, fault: "reset" } as const;
  expect(settle(given)).toMatchObject(given);
});

test("settle() takes replies from a function before a script, and echoes without both", async () => {
  const turn = { messages: [{ role: "user", content: "a" }], turnIndex: 0, routingKey: "" };
  const script = [{ content: "scripted" }];
  const content = async (options: MockEngineOptions) => (await settle(options).reply(turn)).content;
  expect(await content({ script, reply: () => ({ content: "coded" }) })).toBe("coded");
  expect(await content({ script })).toBe("scripted");
  expect(await content({})).toBe("Reply 1 to: a");
});

test("settle() rejects options that make no sense", () => {
  const wrong = [
    { script: [] },
    { fault: "explode" },
    { script: [{ fault: "explode" }] },
    { indexerTopkRowBytes: -1 },
    { latencyMs: -1 },
  ] as MockEngineOptions[];
  for (const options of wrong) expect(() => settle(options)).toThrow();
});
