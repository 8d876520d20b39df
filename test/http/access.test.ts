import { describe, expect, test } from "bun:test";
import { Access, openAccess } from "../../src/http/access.ts";
import { RecordsTickets } from "../../src/http/records-ticket.ts";
import { route } from "../../src/http/route.ts";
import type { Reply } from "../../src/operation.ts";

const token = "s3cret/token";
const guarded = new Access({ authToken: token, proxyPaths: ["*"] });

function at(method: string, path: string) {
  return route(method, `http://h${path}`, []);
}

/** Credentials of a request with this Authorization. */
function bearer(authorization: string | null) {
  return { authorization, apiKey: null, query: "" };
}

/** Credentials of a request with this X-Api-Key. */
function key(apiKey: string, authorization: string | null = null) {
  return { authorization, apiKey, query: "" };
}

/** Credentials of a request with nothing but this query. */
function asking(query: string) {
  return { authorization: null, apiKey: null, query };
}

function textOf(reply: Reply | null): string {
  return new TextDecoder().decode((reply?.body as Uint8Array | undefined) ?? new Uint8Array());
}

describe("Access with a token", () => {
  test.each([
    ["POST", "/sessions"],
    ["GET", "/sessions/s"],
    ["DELETE", "/sessions/s"],
    ["POST", "/sessions/s/v1/chat/completions"],
    ["GET", "/sessions/s/v1/models"],
    ["GET", "/nothing"],
    ["POST", "/health"],
  ])("%s %s needs it", (method, path) => {
    const target = at(method, path);
    const reply = guarded.refusal(target, bearer(null));
    expect(reply?.status).toBe(401);
    expect(reply?.headers).toContainEqual(["www-authenticate", "Bearer"]);
    for (const wrong of ["", "Bearer", `Basic ${token}`, token, `Bearer ${token}x`, "Bearer x"]) {
      expect([wrong, guarded.refusal(target, bearer(wrong))?.status]).toEqual([wrong, 401]);
    }
    // As HTTP joins two headers of one name.
    expect(guarded.refusal(target, bearer(`Bearer x, Bearer ${token}`))?.status).toBe(401);
    for (const right of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token}`]) {
      expect([right, guarded.refusal(target, bearer(right))]).toEqual([right, null]);
    }
  });

  test("a ticket stands for it where the records of its session are read", () => {
    const query = new RecordsTickets(token).queryFor("s", Date.now());
    expect(guarded.refusal(at("GET", "/sessions/s"), asking(query))).toBeNull();
    for (const [method, path] of [
      ["GET", "/sessions/other"],
      ["DELETE", "/sessions/s"],
      ["GET", "/sessions/s/summary"],
      ["GET", "/sessions/s/v1/models"],
      ["GET", "/sessions"],
    ] as const) {
      const status = guarded.refusal(at(method, path), asking(query))?.status;
      expect([method, path, status]).toEqual([method, path, 401]);
    }
  });

  test("GET /health needs none", () => {
    expect(guarded.refusal(at("GET", "/health"), bearer(null))).toBeNull();
  });

  test("the reply tells nothing of the token", () => {
    expect(textOf(guarded.refusal(at("POST", "/sessions"), bearer("Bearer guess")))).not.toMatch(
      /s3cret|guess/,
    );
  });

  test("takes the token as Anthropic's clients send it", () => {
    const target = at("POST", "/sessions/s/v1/messages");
    expect(guarded.refusal(target, key(token))).toBeNull();
    expect(guarded.refusal(target, key(token, "Bearer x"))).toBeNull();
    const refused = guarded.refusal(target, key("x"));
    expect(refused?.status).toBe(401);
    expect(textOf(refused)).toContain('"type":"authentication_error"');
  });

  test("keeps the token's headers to itself; without a token they are the backend's", () => {
    const headers: [string, string][] = [
      ["authorization", "Bearer k"],
      ["x-api-key", "k"],
      ["x-a", "1"],
    ];
    expect(guarded.forwarded(headers)).toEqual([["x-a", "1"]]);
    expect(new Access(openAccess).forwarded(headers)).toEqual(headers);
  });
});

describe("Access to paths of the backend", () => {
  const limited = new Access({ authToken: null, proxyPaths: ["v1/models", "v1/files/*"] });

  test.each([
    ["/sessions/s/v1/models", null],
    ["/sessions/s/v1/files/a", null],
    ["/sessions/s/v1%2Fmodels", null],
    ["/sessions/s/flush_cache", 403],
    ["/sessions/s/%66lush_cache", 403],
    ["/sessions/s//v1/models", 403],
    ["/sessions/s/v1/files/..%2f..%2fflush_cache", 400],
  ])("GET %s: %p", (path, status) => {
    expect(limited.refusal(at("GET", path), bearer(null))?.status ?? null).toBe(status);
  });

  test("never stands between an agent and its chat", () => {
    const none = new Access({ authToken: null, proxyPaths: [] });
    expect(none.refusal(at("POST", "/sessions/s/v1/chat/completions"), bearer(null))).toBeNull();
    expect(none.refusal(at("GET", "/sessions/s/v1/chat/completions"), bearer(null))?.status).toBe(
      403,
    );
    expect(none.refusal(at("GET", "/sessions/s"), bearer(null))).toBeNull();
  });
});
