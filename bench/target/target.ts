/**
 * A server under test, as it is named on the command line.
 *
 *   bun[:WORKERS][@DIRECTORY]        this server from source, of this or another checkout
 *   executable[:WORKERS][@PATH]      the standalone executable; dist/session-server by default
 *   command:WORDS                    any program that speaks the same API; {port} and {backend} are
 *                                    replaced, and it is ready when GET /health answers 200
 *   url:URL[#PID,PID]                a server that runs already, its backend is the engine's port;
 *                                    its process ids are for memory and processor time
 *   NAME=TARGET                      any of these under a name of its own, which results show
 */
import { join, resolve } from "node:path";

export type Target =
  | {
      readonly kind: "program";
      readonly label: string;
      readonly argv: readonly string[];
      readonly workers: number;
    }
  | { readonly kind: "command"; readonly label: string; readonly words: readonly string[] }
  | {
      readonly kind: "url";
      readonly label: string;
      readonly url: string;
      readonly pids: readonly number[];
    };

export const repository = join(import.meta.dir, "..", "..");

/** The program of this checkout. */
export const supervisorPath = join(repository, "src", "supervisor.ts");

/** What `bun run build` makes. */
export const executablePath = join(repository, "dist", "session-server");

/** @throws Error with a sentence when the text names no target */
export function parseTarget(text: string): Target {
  const [, name, named] = /^([\w.-]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || named === undefined) return parseUnnamed(text);
  return { ...parseUnnamed(named), label: name };
}

function parseUnnamed(label: string): Target {
  const [kind = ""] = label.split(/[:@]/, 1);
  switch (kind) {
    case "bun":
      return programTarget(label, (path) => [
        process.execPath,
        "run",
        path === null ? supervisorPath : join(path, "src", "supervisor.ts"),
      ]);
    case "executable":
      return programTarget(label, (path) => [path ?? executablePath]);
    case "command": {
      const words = label.slice("command:".length).split(" ").filter(Boolean);
      if (words.length > 0) return { kind: "command", label, words };
      break;
    }
    case "url":
      return urlTarget(label);
  }
  throw new Error(
    `target "${label}" is unknown; expected bun:2, executable:2, url:http://host:port#pid ` +
      'or "command:program --port {port} --backend {backend}"',
  );
}

function programTarget(label: string, argvOf: (path: string | null) => string[]): Target {
  const match = /^[a-z]+(?::(\d+))?(?:@(.+))?$/.exec(label);
  const workers = Number(match?.[1] ?? 1);
  if (match === null || workers < 1) {
    throw new Error(`target "${label}"; expected a worker count, as in bun:2`);
  }
  const path = match[2] === undefined ? null : resolve(match[2]);
  return { kind: "program", label, argv: argvOf(path), workers };
}

function urlTarget(label: string): Target {
  const text = label.slice("url:".length);
  if (!URL.canParse(text)) throw new Error(`target "${label}"; expected a URL after "url:"`);
  const url = new URL(text);
  const pids = url.hash.slice(1).split(",").filter(Boolean).map(Number);
  if (pids.some((pid) => !Number.isSafeInteger(pid) || pid < 1)) {
    throw new Error(`target "${label}"; expected process ids after "#", as in #1234,1235`);
  }
  return { kind: "url", label, url: url.origin, pids };
}
