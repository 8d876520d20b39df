/**
 * From a request line to an operation: the whole URL surface of the server in one place.
 *
 *   GET                /health
 *   GET, POST          /sessions
 *   GET, DELETE        /sessions/{id}
 *   GET                /sessions/{id}/summary
 *   POST               /sessions/{id}/v1/chat/completions       OpenAI chat
 *   POST               /sessions/{id}/v1/messages               Anthropic Messages
 *   POST               /sessions/{id}/v1/messages/count_tokens
 *   POST               /sessions/{id}/v1/responses              OpenAI Responses
 *   any                /sessions/{id}/{path}                     relayed to the backend
 *
 * Contract   works on the raw URL: escapes in the path below a session and in the query reach the
 *            backend as the client wrote them; session ids are percent-decoded.
 * Reports    400 for a request without host or for a page that cannot be listed, 404 for an unknown
 *            path, 405 with Allow for a known path and another method, 307 to the path without its
 *            trailing slash where the original redirects too.
 * Not here   request bodies, and what an operation means.
 */
import { noBytes } from "../bytes.ts";
import { InvalidRequestError } from "../errors.ts";
import {
  errorReply,
  type HeaderList,
  jsonReply,
  type Operation,
  type Reply,
  type TurnKind,
} from "../operation.ts";
import { readPageQuery } from "../session-list.ts";

export type Route = { operation: Operation } | { reply: Reply };

/** Below a session; asked with POST. */
const turnPaths: ReadonlyMap<string, TurnKind> = new Map([
  ["v1/chat/completions", "chat_completions"],
  ["v1/messages", "messages"],
  ["v1/responses", "responses"],
]);

/** @param url absolute, as the HTTP server gives it: scheme://authority/path?query */
export function route(method: string, url: string, headers: HeaderList): Route {
  // Bun makes no absolute URL when the Host header is none; its path was not normalised either.
  if (!/^https?:\/\//.test(url)) {
    return { reply: errorReply(400, "the request has no acceptable Host header or target") };
  }
  // Asks for a tunnel: what follows is no body, and never ends.
  if (method === "CONNECT") return onlyFor(method, {});
  const { path, query } = splitUrl(url);
  if (path === "/health") return onlyFor(method, { GET: { kind: "health" } });
  if (path === "/sessions") {
    return method === "GET"
      ? listSessions(query)
      : onlyFor(method, { GET: null, POST: { kind: "create_session", sessionId: null } });
  }
  if (path === "/health/" || path === "/sessions/") return { reply: withoutTrailingSlash(url) };
  if (!path.startsWith("/sessions/")) return { reply: jsonReply(404, { detail: "Not Found" }) };

  const rest = path.slice("/sessions/".length);
  const slash = rest.indexOf("/");
  if (slash === 0) return { reply: jsonReply(404, { detail: "Not Found" }) };
  if (slash < 0) {
    const sessionId = decodeSessionId(rest);
    return onlyFor(method, {
      GET: { kind: "get_session", sessionId },
      DELETE: { kind: "delete_session", sessionId },
    });
  }
  const sessionId = decodeSessionId(rest.slice(0, slash));
  const below = rest.slice(slash + 1);
  return { operation: operationBelow({ sessionId, method, path: below, query, headers }) };
}

interface RequestBelow {
  readonly sessionId: string;
  readonly method: string;
  /** Raw path below the session. */
  readonly path: string;
  readonly query: string;
  readonly headers: HeaderList;
}

function operationBelow({ sessionId, method, path, query, headers }: RequestBelow): Operation {
  const turnKind = turnPaths.get(path);
  if (turnKind !== undefined && method === "POST") {
    return { kind: turnKind, sessionId, method, query, headers };
  }
  if (path === "v1/messages/count_tokens" && method === "POST") {
    return { kind: "count_tokens", sessionId };
  }
  if (path === "summary" && method === "GET") return { kind: "get_session_summary", sessionId };
  return { kind: "proxy", sessionId, method, path, query, headers };
}

function listSessions(query: string): Route {
  try {
    return { operation: readPageQuery(query) };
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    return { reply: errorReply(error.status, error.message) };
  }
}

function splitUrl(url: string): { path: string; query: string } {
  const authority = url.indexOf("://") + 3;
  const pathStart = url.indexOf("/", authority);
  const fragment = url.indexOf("#", authority);
  const end = fragment < 0 ? url.length : fragment;
  if (pathStart < 0 || pathStart >= end) return { path: "/", query: "" };
  const question = url.indexOf("?", pathStart);
  if (question < 0 || question >= end) return { path: url.slice(pathStart, end), query: "" };
  return { path: url.slice(pathStart, question), query: url.slice(question + 1, end) };
}

/** @param operations by method; null for one that is told apart elsewhere */
function onlyFor(method: string, operations: Record<string, Operation | null>): Route {
  const operation = Object.hasOwn(operations, method) ? operations[method] : null;
  if (operation) return { operation };
  const reply = jsonReply(405, { detail: "Method Not Allowed" });
  reply.headers.push(["allow", Object.keys(operations).join(", ")]);
  return { reply };
}

function withoutTrailingSlash(url: string): Reply {
  const question = url.indexOf("?");
  const path = question < 0 ? url : url.slice(0, question);
  const query = question < 0 ? "" : url.slice(question);
  return {
    status: 307,
    headers: [["location", path.slice(0, -1) + query]],
    body: noBytes,
  };
}

/** An escape that does not decode stands for itself: such an id exists in no registry. */
function decodeSessionId(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
