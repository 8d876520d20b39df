import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  type ServerConfig,
  SessionServerSupervisor,
  serverConfig,
  UsageError,
} from "../src/index.ts";
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

describe("settings that do not fit each other", () => {
  const conflicts: readonly [Partial<ServerConfig>, string][] = [
    [
      { backendUrl: "http://sglang" },
      'backendUrl "http://sglang" needs hfCheckpoint: token ids must be those of the ' +
        "backend's model; expected the directory of the checkpoint that the backend serves",
    ],
    [
      { recordsPath: "redirect", host: "0.0.0.0" },
      'recordsPath "redirect" needs advertiseHost: no client can follow a redirect to 0.0.0.0; ' +
        "expected the name or address by which clients reach this machine",
    ],
    [
      { recordsPath: "redirect", host: "[::]" },
      'recordsPath "redirect" needs advertiseHost: no client can follow a redirect to ::; ' +
        "expected the name or address by which clients reach this machine",
    ],
    [
      { chatTemplatePath: "t.jinja", titoModel: "qwen3" },
      'chatTemplatePath "t.jinja" conflicts with titoModel "qwen3": the family says itself how it ' +
        "is rendered; expected no template, or the family default",
    ],
  ];
  test.each(conflicts)("serverConfig(%j) throws", (settings, message) => {
    expect(() => serverConfig(settings)).toThrow(new UsageError(message));
    // Whoever made the configuration by hand learns it as well.
    expect(() => new SessionServerSupervisor({ ...config, ...settings })).toThrow(UsageError);
  });

  test("what fits is taken", () => {
    const hfCheckpoint = "/model";
    expect(serverConfig({ backendUrl: "http://h", hfCheckpoint })).toMatchObject({ hfCheckpoint });
    const redirect = { recordsPath: "redirect", host: "0.0.0.0", advertiseHost: "node7" } as const;
    expect(serverConfig(redirect)).toMatchObject(redirect);
    expect(serverConfig({ chatTemplatePath: "t.jinja" }).titoModel).toBe("default");
  });
});

describe("settings that do not fit the machine or the checkpoint", () => {
  /** None of its processes is left, and none was started when nothing had to be loaded. */
  async function fault(settings: Partial<ServerConfig>): Promise<{ line: string; pids: number }> {
    const server = new SessionServerSupervisor({ ...config, workers: 2, ...settings });
    const error = await server.start().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect(() => server.check()).toThrow();
    return { line: (error as Error).message, pids: server.children.length };
  }

  test.each<[Partial<ServerConfig>, string]>([
    [{ hfCheckpoint: import.meta.dir }, `hfCheckpoint "${import.meta.dir}": `],
    [{ chatTemplatePath: "/nowhere.jinja" }, 'chatTemplatePath "/nowhere.jinja": there is no file'],
    [{ host: "203.0.113.7" }, 'host "203.0.113.7": it is no address of this machine'],
  ])(
    "start() of %j rejects before any process starts",
    async (settings, line) => {
      const found = await fault(settings);
      expect(found.line).toStartWith(line);
      expect(found.pids).toBe(0);
    },
    hangMs,
  );

  test.each<[Partial<ServerConfig>, string]>([
    [
      { titoModel: "glm47" },
      'titoModel "glm47" conflicts with hfCheckpoint null: checkpoint demo ',
    ],
    [{ chatTemplateKwargs: '{"tools":1}' }, 'chatTemplateKwargs "{"tools":1}": '],
  ])(
    "start() of %j rejects when a process has found it out",
    async (settings, line) => {
      expect((await fault(settings)).line).toStartWith(line);
    },
    hangMs,
  );
});

test(
  "the log of the program that embeds a server warns as that of the command line does",
  async () => {
    const program = `
      const { SessionServerSupervisor, serverConfig } = await import("./src/index.ts");
      const settings = { port: 0, host: "0.0.0.0", logLevel: process.argv[1] };
      const server = new SessionServerSupervisor(serverConfig(settings));
      await server.start();
      await server.shutdown();`;
    const logOf = async (level: string) => {
      const child = Bun.spawn([process.execPath, "-e", program, level], {
        cwd: join(import.meta.dir, ".."),
        stderr: "pipe",
      });
      return child.stderr.text();
    };
    const log = await logOf("warn");
    for (const line of [
      "no backendUrl: replies come from the built-in mock engine, not from a model",
      "no hfCheckpoint: token ids are those of the bundled demo tokenizer",
      "no authToken: whoever reaches 0.0.0.0 may use this server",
      'proxyPaths is "*": whoever may use this server on 0.0.0.0 reaches every path',
    ]) {
      expect(log).toContain(` WARN  session-server: ${line}`);
    }
    expect(await logOf("error")).toBe("");
  },
  hangMs,
);
