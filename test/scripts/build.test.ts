import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "../../scripts/build.ts";
import { hangMs } from "../harness/time-limit.ts";

// Far from node_modules: the executable has to bring everything along.
const directory = mkdtempSync(join(tmpdir(), "session-server-build-"));
const executable = join(directory, "session-server");
afterAll(() => rmSync(directory, { recursive: true }));

test(
  "build() makes an executable that starts itself in every role",
  async () => {
    await build(executable);
    const server = Bun.spawn([executable, "--workers", "2", "--port", "0"], {
      cwd: directory,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    });
    try {
      const url = await listeningUrl(server.stdout);
      const created = await fetch(`${url}/sessions`, { method: "POST" });
      const { session_id: sessionId } = (await created.json()) as { session_id: string };
      const chat = await fetch(`${url}/sessions/${sessionId}/v1/chat/completions`, {
        method: "POST",
        body: JSON.stringify({ messages: [{ role: "user", content: "hello" }] }),
      });
      expect(await chat.text()).toContain("Reply 1 to: hello");
    } finally {
      server.kill();
    }
    expect(await server.exited).toBe(0);
  },
  hangMs,
);

async function listeningUrl(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const chunk of stdout) {
    text += Buffer.from(chunk).toString();
    const url = /listening on (\S+)\n/.exec(text)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`the server did not say where it listens: ${text}`);
}
