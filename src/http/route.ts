/**
 * From a request line to an operation: the whole URL surface of the server in one place.
 *
 *   GET                /health
 *   POST               /sessions
 *   GET, DELETE        /sessions/{id}
 *   POST               /sessions/{id}/v1/chat/completions
 *   any                /sessions/{id}/{path}                     relayed to the backend
 *
 * Contract   works on the raw URL: escapes in the path below a session and in the query reach the
 *            backend as the client wrote them; session ids are percent-decoded.
 * Reports    400 for a request without host, 404 for an unknown path, 405 with Allow for a known
 *            path and another method, 307 to the path without its trailing slash where the original
 *            redirects too.
 * Not here   request bodies, and what an operation means.
 */
import {
  errorReply,
  type HeaderList,
  jsonReply,
  type Operation,
  type Reply,
} from "../operation.ts";

export type Route = { operation: Operation } | { reply: Reply };

const chatCompletionsPath = "v1/chat/completions";

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
    return onlyFor(method, { POST: { kind: "create_session", sessionId: null } });
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
  if (below === chatCompletionsPath && method === "POST") {
    return { operation: { kind: "chat_completions", sessionId, method, query, headers } };
  }
  return { operation: { kind: "proxy", sessionId, method, path: below, query, headers } };
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

function onlyFor(method: string, operations: Record<string, Operation>): Route {
  const operation = Object.hasOwn(operations, method) ? operations[method] : undefined;
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
    body: new Uint8Array(0),
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
