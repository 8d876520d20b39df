/**
 * The transcripts of the original as cases: each is replayed over HTTP against a running server,
 * with a backend that answers as it did then.
 *
 * Contract   the backend must receive the same method, path, query and JSON; the client must get the
 *            same status, media type and JSON (or text). Token ids, key presence and error texts
 *            count; white space inside JSON does not. Timestamps stand as "<number>".
 */
import { expect } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseJson } from "../../src/json/lossless.ts";
import { pythonJson } from "../../src/json/python-json.ts";
import type { JsonValue } from "../../src/json/values.ts";
import type { ScriptedBackend } from "../harness/scripted-backend.ts";

const directory = join(import.meta.dir, "..", "golden");

export interface GoldenScenario {
  readonly name: string;
  readonly tito_model: string;
  readonly message_matcher: string;
  readonly checkpoint: "qwen3" | "deepseekv32";
  readonly use_rollout_routing_replay: boolean;
  readonly session_id: string;
  readonly steps: readonly GoldenStep[];
}

interface GoldenStep {
  readonly op: "chat" | "get" | "delete" | "proxy";
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly body?: string;
  readonly upstream_request?: { method: string; path: string; query: string; json: unknown };
  readonly upstream_reply?: { status: number; headers: Record<string, string>; body: string };
  readonly reply: { status: number; content_type: string | null; body: string };
}

interface LosslessStep {
  /** JSON text of upstream_request.json, numbers as written. */
  readonly upstreamJson: JsonValue | undefined;
}

export const goldenScenarios: readonly GoldenScenario[] = readdirSync(directory)
  .filter((name) => name.endsWith(".json"))
  .sort()
  .map((name) => JSON.parse(readFileSync(join(directory, name), "utf8")) as GoldenScenario);

/** Replays one scenario; rejects with the first difference. */
export async function replayScenario(
  scenario: GoldenScenario,
  serverUrl: string,
  backend: ScriptedBackend,
): Promise<void> {
  const sessionId = await createSession(serverUrl);
  const lossless = losslessSteps(scenario);
  let upstreamCalls = 0;
  for (const [index, step] of scenario.steps.entries()) {
    const place = `${scenario.name}, step ${index} (${step.op})`;
    if (step.upstream_reply) backend.reply(sessionId, step.upstream_reply);
    const response = await fetch(serverUrl + target(step, sessionId), request(step));
    const body = await response.text();
    const seen = backend.requests(sessionId);
    if (step.upstream_request) {
      const call = seen[upstreamCalls++];
      expect(call, `${place}: the backend was called`).toBeDefined();
      if (!call) return;
      const { method, path, query } = step.upstream_request;
      expect({ method: call.method, path: call.path, query: call.query }, place).toEqual({
        method,
        path,
        query,
      });
      const sent = call.body === "" ? null : parseJson(call.body);
      expect(canonical(sent), place).toBe(canonical(lossless[index]?.upstreamJson ?? null));
    }
    expect(seen.length, `${place}: calls of the backend`).toBe(upstreamCalls);
    compareReply(step, response, body, { place, scenario, sessionId });
  }
}

async function createSession(serverUrl: string): Promise<string> {
  const response = await fetch(`${serverUrl}/sessions`, { method: "POST" });
  const { session_id } = (await response.json()) as { session_id: string };
  return session_id;
}

function target(step: GoldenStep, sessionId: string): string {
  if (step.op === "chat") return `/sessions/${sessionId}/v1/chat/completions`;
  if (step.op !== "proxy") return `/sessions/${sessionId}`;
  return `/sessions/${sessionId}/${step.path}${step.query ? `?${step.query}` : ""}`;
}

function request(step: GoldenStep): RequestInit {
  const methods = { chat: "POST", get: "GET", delete: "DELETE", proxy: step.method ?? "GET" };
  const init: RequestInit = { method: methods[step.op] };
  if (step.body) {
    init.body = step.body;
    init.headers = { "content-type": "application/json" };
  }
  return init;
}

function compareReply(
  step: GoldenStep,
  response: Response,
  body: string,
  context: { place: string; scenario: GoldenScenario; sessionId: string },
): void {
  const { place, scenario, sessionId } = context;
  expect(response.status, `${place}: status of ${body.slice(0, 500)}`).toBe(step.reply.status);
  expect(response.headers.get("content-type"), place).toBe(step.reply.content_type);
  const expected = step.reply.body.replaceAll(scenario.session_id, sessionId);
  if (step.reply.content_type?.startsWith("text/event-stream")) {
    expect(events(body), place).toEqual(events(expected));
  } else if (step.reply.content_type === "application/json") {
    // The text behind quotes Python's own parser: only its beginning is part of the contract.
    const prefix = '{"error":"invalid JSON body:';
    if (expected.startsWith(prefix)) expect(body.slice(0, prefix.length), place).toBe(prefix);
    else
      expect(canonical(withoutTimes(parseJson(body))), place).toBe(canonical(parseJson(expected)));
  } else {
    expect(body, place).toBe(expected);
  }
}

function events(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => line.slice("data: ".length))
    .map((data) => (data === "[DONE]" ? data : canonical(parseJson(data))));
}

function canonical(value: JsonValue): string {
  return pythonJson(value, { sortKeys: true });
}

/** Puts "<number>" where a records dump has a time. */
function withoutTimes(value: JsonValue): JsonValue {
  if (!(value instanceof Map)) return value;
  const records = value.get("records");
  if (!Array.isArray(records)) return value;
  for (const record of records) {
    if (!(record instanceof Map)) continue;
    for (const name of ["timestamp", "request_timestamp"]) {
      if (typeof record.get(name) === "object") record.set(name, "<number>");
    }
  }
  return value;
}

/** JSON.parse loses 1.0 and big integers, which the comparison with the backend's view needs. */
function losslessSteps(scenario: GoldenScenario): LosslessStep[] {
  const document = parseJson(readFileSync(join(directory, `${scenario.name}.json`), "utf8"));
  const steps = document instanceof Map ? document.get("steps") : undefined;
  if (!Array.isArray(steps)) throw new Error(`${scenario.name} has no steps`);
  return steps.map((step) => {
    const upstream = step instanceof Map ? step.get("upstream_request") : undefined;
    return { upstreamJson: upstream instanceof Map ? upstream.get("json") : undefined };
  });
}
