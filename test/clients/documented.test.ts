/**
 * Every snippet of docs/clients.md against a server, as a reader would run it.
 *
 * Contract   a snippet names its language and what it needs behind the opening fence. Where that is
 *            not installed, the test is skipped, and its title says why.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ServerProcess, startServer } from "../harness/server-process.ts";
import { hangMs } from "../harness/time-limit.ts";

const repository = join(import.meta.dir, "..", "..");
const documentedUrl = "http://127.0.0.1:30100";

interface Snippet {
  readonly title: string;
  readonly language: string;
  readonly needs: string;
  readonly text: string;
}

function snippets(): Snippet[] {
  const document = readFileSync(join(repository, "docs", "clients.md"), "utf8");
  const found: Snippet[] = [];
  let heading = "";
  const parts = /^## (.*)$|^```(\w+) (\S+)\n([\s\S]*?)^```$/gm;
  for (const [, title, language, needs, text] of document.matchAll(parts)) {
    if (title !== undefined) heading = title;
    else if (language && needs && text) found.push({ title: heading, language, needs, text });
  }
  return found;
}

/** Another interpreter, such as that of a virtual environment, is named by PYTHON. */
const python = process.env["PYTHON"] ?? "python3";

function runs(command: readonly string[]): boolean {
  if (Bun.which(command[0] ?? "") === null) return false;
  return Bun.spawnSync([...command], { stdout: "ignore", stderr: "ignore" }).exitCode === 0;
}

/** Why a snippet cannot be run here; null when it can. */
function obstacle({ language, needs }: Snippet): string | null {
  switch (language) {
    case "python":
      if (Bun.which(python) === null) return `there is no ${python}`;
      return runs([python, "-c", `import httpx, ${needs}`])
        ? null
        : `${python} has no httpx or no ${needs}`;
    case "sh":
      if (Bun.which("curl") === null) return "there is no curl";
      return Bun.which(needs) === null ? `there is no ${needs}` : null;
    default:
      return null;
  }
}

const commands: Readonly<Record<string, string[]>> = {
  python: [python, "-"],
  sh: ["sh", "-e"],
  // From standard input, so that packages are found from the working directory.
  ts: [process.execPath, "run", "-"],
};

let server: ServerProcess;
let home: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "session-server-clients-"));
  server = await startServer(["--port", "0", "--workers", "2", "--log-level", "error"]);
}, hangMs);

afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  expect(await server.stop()).toBe(0);
});

async function run({ language, text }: Snippet): Promise<string> {
  const child = Bun.spawn(commands[language] ?? [], {
    cwd: language === "ts" ? repository : home,
    // Agents read and write their settings below the home directory.
    env: { ...process.env, HOME: home },
    stdin: Buffer.from(text.replaceAll(documentedUrl, server.url)),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, complaints] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${output}\n${complaints}`);
  return output;
}

describe("docs/clients.md", () => {
  const all = snippets();

  test("has a snippet for each client", () => {
    const needs = new Set(all.map((snippet) => snippet.needs));
    for (const client of ["openai", "anthropic", "@anthropic-ai/sdk", "ai", "claude", "codex"]) {
      expect(needs).toContain(client);
    }
  });

  for (const [index, snippet] of all.entries()) {
    const reason = obstacle(snippet);
    const title = `snippet ${index + 1}, ${snippet.title} (${snippet.language})`;
    const shown = reason === null ? title : `${title}: not run, ${reason}`;
    test.skipIf(reason !== null)(
      shown,
      async () => {
        // The mock engine repeats what it was told; lists and creations tell of sessions.
        expect(await run(snippet)).toMatch(/Reply \d+ to: |"session_id"|"sessions"/);
      },
      hangMs,
    );
  }
});
