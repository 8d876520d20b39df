import { describe, expect, test } from "bun:test";
import { type Route, route } from "../../src/http/route.ts";

const id = "0123456789abcdef0123456789abcdef";

function at(method: string, path: string): Route {
  return route(method, `http://host:30100${path}`, []);
}

function operationOf(result: Route) {
  if ("operation" in result) return result.operation;
  throw new Error(`answered ${result.reply.status}`);
}

function replyOf(result: Route) {
  if ("reply" in result) return result.reply;
  throw new Error(`routed to ${result.operation.kind}`);
}

describe("route() maps every path of the API", () => {
  test.each([
    ["GET", "/health", { kind: "health" }],
    ["POST", "/sessions", { kind: "create_session", sessionId: null }],
    ["GET", `/sessions/${id}`, { kind: "get_session", sessionId: id }],
    ["GET", `/sessions/${id}?full=1`, { kind: "get_session", sessionId: id }],
    ["DELETE", `/sessions/${id}`, { kind: "delete_session", sessionId: id }],
    ["GET", `/sessions/${id}/summary`, { kind: "get_session_summary", sessionId: id }],
    ["GET", "/sessions", { kind: "list_sessions", limit: 100, after: null }],
    ["GET", "/sessions?limit=5&after=ab", { kind: "list_sessions", limit: 5, after: "ab" }],
    ["POST", `/sessions/${id}/v1/messages/count_tokens`, { kind: "count_tokens", sessionId: id }],
  ] as const)("%s %s", (method, path, expected) => {
    expect(operationOf(at(method, path))).toEqual(expected);
  });

  test.each([
    ["chat/completions", "chat_completions"],
    ["messages", "messages"],
    ["responses", "responses"],
  ] as const)("a turn over v1/%s carries method, query and headers", (path, kind) => {
    const result = route("POST", `http://h/sessions/${id}/v1/${path}?a=%20`, [["x", "1"]]);
    expect(operationOf(result)).toEqual({
      kind,
      sessionId: id,
      method: "POST",
      query: "a=%20",
      headers: [["x", "1"]],
    });
  });

  test.each([
    ["GET", `/sessions/${id}/v1/models`, "v1/models", ""],
    ["PATCH", `/sessions/${id}/a%2Fb/%zz?q=%C3%A9&q=?`, "a%2Fb/%zz", "q=%C3%A9&q=?"],
    ["HEAD", `/sessions/${id}/`, "", ""],
    ["POST", `/sessions/${id}/summary`, "summary", ""],
    ["GET", `/sessions/${id}/v1/responses/resp_1`, "v1/responses/resp_1", ""],
    ["POST", `/sessions/${id}/v1/messages/batches`, "v1/messages/batches", ""],
    ["OPTIONS", `/sessions/${id}/v1/chat/completions`, "v1/chat/completions", ""],
    ["GET", `/sessions/${id}/v1/chat/completions`, "v1/chat/completions", ""],
  ])("%s %s is relayed with its escapes", (method, url, path, query) => {
    expect(operationOf(at(method, url))).toEqual({
      kind: "proxy",
      sessionId: id,
      method,
      path,
      query,
      headers: [],
    });
  });
});

describe("route() decodes session ids", () => {
  test.each([
    ["a%20b", "a b"],
    ["a%2Fb", "a/b"],
    ["%E4%BD%A0", "你"],
    ["a%zz", "a%zz"],
    ["%ff", "%ff"],
  ])("%s", (segment, sessionId) => {
    expect(operationOf(at("GET", `/sessions/${segment}`))).toEqual({
      kind: "get_session",
      sessionId,
    });
  });
});

describe("route() answers what it cannot map", () => {
  test.each(["limit=0", "limit=1001", "limit=x", "limit=1.5", "page=2"])(
    "400 for a list with ?%s",
    (query) => {
      expect(replyOf(at("GET", `/sessions?${query}`)).status).toBe(400);
    },
  );

  test.each(["/", "/nothing", "/sessionsx", "/sessions//v1/models", "/Health", ""])(
    "404 for %s",
    (path) => {
      const reply = replyOf(at("GET", path));
      expect(reply.status).toBe(404);
      expect(new TextDecoder().decode(reply.body as Uint8Array)).toBe('{"detail":"Not Found"}');
    },
  );

  test.each([
    ["POST", "/health", "GET"],
    ["HEAD", "/health", "GET"],
    ["PUT", "/sessions", "GET, POST"],
    ["PUT", `/sessions/${id}`, "GET, DELETE"],
  ])("405 for %s %s names what is allowed", (method, path, allow) => {
    const reply = replyOf(at(method, path));
    expect(reply.status).toBe(405);
    expect(reply.headers).toContainEqual(["allow", allow]);
  });

  test("405 for CONNECT, wherever to: nothing here is a tunnel", () => {
    for (const path of ["/health", `/sessions/${id}`, `/sessions/${id}/v1/models`]) {
      expect(replyOf(at("CONNECT", path)).status).toBe(405);
    }
  });

  test("405 for a method named like a member of Object", () => {
    expect(replyOf(at("constructor", "/health")).status).toBe(405);
  });

  test("307 drops the trailing slash and keeps the query", () => {
    const reply = replyOf(at("POST", "/sessions/?a=1"));
    expect(reply.status).toBe(307);
    expect(reply.headers).toEqual([["location", "http://host:30100/sessions?a=1"]]);
  });

  test.each(["/sessions/s", "/a://h/sessions/s/../../x", "h:80", "ftp://h/sessions/s", ""])(
    "400 for %j, which Bun could not make an absolute URL of",
    (url) => {
      expect(replyOf(route("GET", url, [])).status).toBe(400);
    },
  );
});
