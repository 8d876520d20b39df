/**
 * Who may come in, and how far: the bearer token of the server, and the paths of the backend.
 *
 * Contract   with a token, every request but GET /health must carry it, as Authorization or as the
 *            X-Api-Key of Anthropic's clients; the headers are ours then and go no further. Where
 *            records are read a ticket (records-ticket.ts) stands for it. Tokens are compared in
 *            constant time and appear in no message. Without a token the headers are the backend's
 *            and are forwarded.
 * Reports    401 with WWW-Authenticate; 400 for a path that leads out of the backend's base path;
 *            403 for one that --proxy-paths does not allow.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { ServerConfig } from "../config.ts";
import { errorReplyTo } from "../error-reply.ts";
import { errorReply, type HeaderList, type Operation, type Reply } from "../operation.ts";
import { isPathAllowed, readBackendPath } from "./backend-path.ts";
import { RecordsTickets } from "./records-ticket.ts";
import type { Route } from "./route.ts";

export type AccessRules = Pick<ServerConfig, "authToken" | "proxyPaths">;

/** Nobody is asked who they are, and the whole backend is open. */
export const openAccess: AccessRules = { authToken: null, proxyPaths: ["*"] };

const tokenHeaders: ReadonlySet<string> = new Set(["authorization", "x-api-key"]);

/** What a request says of who sent it; null for a header that is absent. */
export interface Credentials {
  readonly authorization: string | null;
  readonly apiKey: string | null;
  /** Of its URL, without the question mark. */
  readonly query: string;
}

export class Access {
  readonly #tokenDigest: Buffer | null;
  readonly #tickets: RecordsTickets | null;
  readonly #proxyPaths: readonly string[];

  constructor(rules: AccessRules) {
    this.#tokenDigest = rules.authToken === null ? null : digest(rules.authToken);
    this.#tickets = rules.authToken === null ? null : new RecordsTickets(rules.authToken);
    this.#proxyPaths = rules.proxyPaths;
  }

  /** The headers that may go on to the backend. */
  forwarded(headers: HeaderList): HeaderList {
    if (this.#tokenDigest === null) return headers;
    return headers.filter(([name]) => !tokenHeaders.has(name));
  }

  /** The reply to a request that may not be carried out, else null. */
  refusal(target: Route, credentials: Credentials): Reply | null {
    const operation = "operation" in target ? target.operation : null;
    const isOpen = operation?.kind === "health" || this.#hasTicket(operation, credentials);
    if (!isOpen && !this.#isAuthorized(credentials)) return unauthorized(operation);
    if (operation?.kind !== "proxy") return null;
    const path = readBackendPath(operation.path);
    if (path === null) {
      return errorReply(400, 'a relayed path must not have "." or ".." segments or backslashes');
    }
    if (isPathAllowed(path, this.#proxyPaths)) return null;
    return errorReply(
      403,
      "this path of the backend is not open: --proxy-paths lists those that are",
    );
  }

  #hasTicket(operation: Operation | null, { query }: Credentials): boolean {
    if (this.#tickets === null || operation?.kind !== "get_session") return false;
    return this.#tickets.admits(operation.sessionId, query, Date.now());
  }

  #isAuthorized({ authorization, apiKey }: Credentials): boolean {
    const expected = this.#tokenDigest;
    if (expected === null) return true;
    const [, bearer] = /^bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
    // Digests have one length, so that the comparison tells nothing about that of the token.
    return [bearer, apiKey].some(
      (token) => typeof token === "string" && timingSafeEqual(digest(token), expected),
    );
  }
}

function unauthorized(operation: Operation | null): Reply {
  const reply = errorReplyTo(
    operation,
    401,
    "a token is needed: send it as Authorization: Bearer TOKEN",
  );
  reply.headers.push(["www-authenticate", "Bearer"]);
  return reply;
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
