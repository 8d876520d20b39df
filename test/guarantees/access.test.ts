/**
 * Who may come in and what can be reached behind, over raw sockets: HTTP clients tidy paths up
 * before they send them.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkpointDirectory } from "../fixtures/checkpoints.ts";
import { exchange } from "../harness/raw-http.ts";
import { type ScriptedBackend, startScriptedBackend } from "../harness/scripted-backend.ts";
import { childrenOf, type ServerProcess, startServer } from "../harness/server-process.ts";
import { hangMs } from "../harness/time-limit.ts";

const token = "correct-horse-battery-staple";
const directory = mkdtempSync(join(tmpdir(), "access-"));
const tokenFile = join(directory, "token");
writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 });

let backend: ScriptedBackend;
beforeAll(() => {
  backend = startScriptedBackend();
});
afterAll(async () => {
  await backend.stop();
  rmSync(directory, { recursive: true });
});

function start(workers: number, words: string[], environment = {}): Promise<ServerProcess> {
  return startServer(
    [
      ...["--port", "0", "--workers", String(workers), "--backend-url", `${backend.url}/base`],
      ...["--hf-checkpoint", checkpointDirectory("qwen3"), "--log-level", "debug", ...words],
    ],
    { environment },
  );
}

describe.each([1, 2])("--auth-token-file, %d workers", (workers) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await start(workers, ["--auth-token-file", tokenFile]);
  }, hangMs);

  afterAll(() => server.stop());

  test("lets in who has the token, and only them", async () => {
    const authorization = `Bearer ${token}`;
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    const refused = await fetch(`${server.url}/sessions`, { method: "POST" });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe("Bearer");
    expect(Object.keys((await refused.json()) as object)).toEqual(["error"]);
    const created = await fetch(`${server.url}/sessions`, {
      method: "POST",
      headers: { authorization },
    });
    expect(created.status).toBe(200);
    const { session_id } = (await created.json()) as { session_id: string };
    for (const path of [`/sessions/${session_id}`, `/sessions/${session_id}/v1/models`, "/x"]) {
      for (const method of ["GET", "POST", "DELETE"]) {
        expect((await fetch(server.url + path, { method })).status).toBe(401);
      }
    }
    const body = "x".repeat(1_000_000);
    const wrong = { authorization: "Bearer wrong" };
    const url = `${server.url}/sessions/${session_id}/v1/chat/completions`;
    expect((await fetch(url, { method: "POST", body, headers: wrong })).status).toBe(401);
    expect(backend.requests(session_id)).toEqual([]);
  });

  test("does not forward the token", async () => {
    backend.reply("id", { status: 200, body: "ok" });
    const headers = { authorization: `Bearer ${token}`, "x-own": "1" };
    expect((await fetch(`${server.url}/sessions/id/v1/models`, { headers })).status).toBe(200);
    const seen = backend.requests("id").at(-1);
    expect(seen?.headers.get("authorization")).toBeNull();
    expect(seen?.headers.get("x-own")).toBe("1");
  });

  test("keeps the token out of the log and out of processes that need none", async () => {
    expect(server.log()).not.toContain(token);
    for (const pid of childrenOf(server.pid)) {
      const commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      expect(commandLine).not.toContain(token);
      if (commandLine.startsWith("session-server router")) continue;
      expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toContain(token);
    }
  });
});

test(
  "--auth-token-file and --records-path redirect: the owner's own listener asks for the token or a ticket",
  async () => {
    const server = await start(2, ["--auth-token-file", tokenFile, "--records-path", "redirect"]);
    try {
      const headers = { authorization: `Bearer ${token}` };
      const created = await fetch(`${server.url}/sessions`, { method: "POST", headers });
      const { session_id } = (await created.json()) as { session_id: string };
      const url = `${server.url}/sessions/${session_id}`;
      expect((await fetch(url, { redirect: "manual" })).status).toBe(401);
      const redirect = await fetch(url, { redirect: "manual", headers });
      expect(redirect.status).toBe(307);
      const owner = new URL(redirect.headers.get("location") ?? "");
      expect((await fetch(owner)).status).toBe(200);
      owner.search = owner.search.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
      expect((await fetch(owner)).status).toBe(401);
      owner.search = "";
      expect((await fetch(owner)).status).toBe(401);
      expect((await fetch(owner, { headers })).status).toBe(200);
    } finally {
      await server.stop();
    }
  },
  hangMs,
);

describe.each([1, 2])("--proxy-paths, %d workers", (workers) => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await start(workers, ["--proxy-paths", "v1/models,/v1/files/*"]);
  }, hangMs);
  afterAll(() => server.stop());

  test.each([
    ["v1/models", "base/v1/models"],
    ["v1/files/a%2Fb?q=%20", "base/v1/files/a%2Fb"],
  ])("lets %s through", async (path, arrived) => {
    backend.reply("allowed", { status: 200, body: "ok" });
    expect((await fetch(`${server.url}/sessions/allowed/${path}`)).status).toBe(200);
    expect(backend.requests("allowed").at(-1)?.path).toBe(arrived);
  });

  test.each(["flush_cache", "update_weights_from_disk", "v1/modelsx", "v1%2fmodels%2f", ""])(
    "refuses %j with 403, and the backend hears nothing",
    async (path) => {
      const reply = await fetch(`${server.url}/sessions/refused/${path}`, { method: "POST" });
      expect([reply.status, await reply.text()]).toEqual([
        403,
        expect.stringContaining("--proxy-paths"),
      ]);
      expect(backend.requests("refused")).toEqual([]);
    },
  );
});

describe.each([1, 2])(
  "relayed paths cannot leave the backend's base path, %d workers",
  (workers) => {
    let server: ServerProcess;
    beforeAll(async () => {
      server = await start(workers, []);
    }, hangMs);
    afterAll(() => server.stop());

    const host = "Host: server";
    test.each([
      ["GET /sessions/escape/../../../flush_cache", host],
      ["GET /sessions/escape/%2e%2e/%2e%2e/flush_cache", host],
      ["GET /sessions/escape/v1%2f..%2f..%2fflush_cache", host],
      ["GET /sessions/escape/%252e%252e/flush_cache", host],
      ["GET /sessions/escape/v1\\..\\..\\flush_cache", host],
      ["GET /sessions/escape/v1%5c..%5cflush_cache", host],
      ["GET http://elsewhere/flush_cache", host],
      ["GET http://elsewhere/sessions/escape/../../flush_cache", host],
      // Bun does not tidy the path up when it cannot read the Host header.
      ["GET /sessions/escape/../../flush_cache", "Host: a b"],
      ["GET /a://b/sessions/escape/../../flush_cache", "Host: a/b"],
      ["GET /sessions/escape/../../flush_cache", "Host: "],
      ["CONNECT elsewhere:80", host],
      ["OPTIONS *", host],
    ])("%s (%s)", async (line, header) => {
      const reply = await exchange(server.url, `${line} HTTP/1.1\r\n${header}\r\n\r\n`);
      expect(Number(reply.slice(9, 12))).toBeOneOf([400, 404, 405]);
      expect(backend.requests("escape")).toEqual([]);
    });

    test("an absolute request target names a path here, never another origin", async () => {
      backend.reply("absolute", { status: 200, body: "ok" });
      const line = "GET http://elsewhere:1/sessions/absolute/v1/models HTTP/1.1";
      const reply = await exchange(server.url, `${line}\r\n${host}\r\nConnection: close\r\n\r\n`);
      expect(reply).toStartWith("HTTP/1.1 200 ");
      expect(backend.requests("absolute")[0]?.path).toBe("base/v1/models");
    });

    test("two slashes do not start an authority", async () => {
      backend.reply("slashes", { status: 200, body: "ok" });
      const line = "GET /sessions/slashes//elsewhere/x HTTP/1.1";
      await exchange(server.url, `${line}\r\n${host}\r\nConnection: close\r\n\r\n`);
      expect(backend.requests("slashes")[0]?.path).toBe("base//elsewhere/x");
    });

    test("an id that is no header value names its session escaped", async () => {
      const id = "a\r\nx-evil: 1 你";
      backend.reply(encodeURIComponent(id), { status: 200, body: "ok" });
      const reply = await fetch(`${server.url}/sessions/${encodeURIComponent(id)}/v1/models`);
      expect(reply.status).toBe(200);
      const [seen] = backend.requests(encodeURIComponent(id));
      expect(seen?.headers.get("x-evil")).toBeNull();
    });
  },
);
