/**
 * Who may come in, and how far: the bearer token of the server, and the paths of the backend.
 *
 * Contract   with a token, every request but GET /health must carry it; the header is ours then and
 *            goes no further. Tokens are compared in constant time and appear in no message.
 *            Without one, Authorization is the backend's and is forwarded.
 * Reports    401 with WWW-Authenticate; 400 for a path that leads out of the backend's base path;
 *            403 for one that --proxy-paths does not allow.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { ServerConfig } from "../config.ts";
import { errorReply, type HeaderList, type Reply } from "../operation.ts";
import { isPathAllowed, readBackendPath } from "./backend-path.ts";
import type { Route } from "./route.ts";

export type AccessRules = Pick<ServerConfig, "authToken" | "proxyPaths">;

/** Nobody is asked who they are, and the whole backend is open. */
export const openAccess: AccessRules = { authToken: null, proxyPaths: ["*"] };

const authorizationHeader = "authorization";

export class Access {
  readonly #tokenDigest: Buffer | null;
  readonly #proxyPaths: readonly string[];

  constructor(rules: AccessRules) {
    this.#tokenDigest = rules.authToken === null ? null : digest(rules.authToken);
    this.#proxyPaths = rules.proxyPaths;
  }

  /** The headers that may go on to the backend. */
  forwarded(headers: HeaderList): HeaderList {
    if (this.#tokenDigest === null) return headers;
    return headers.filter(([name]) => name !== authorizationHeader);
  }

  /**
   * The reply to a request that may not be carried out, else null.
   * @param authorization the header's value, null when absent
   */
  refusal(target: Route, authorization: string | null): Reply | null {
    const operation = "operation" in target ? target.operation : null;
    if (operation?.kind !== "health" && !this.#isAuthorized(authorization)) return unauthorized();
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

  #isAuthorized(authorization: string | null): boolean {
    if (this.#tokenDigest === null) return true;
    const [, token] = /^bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
    // Digests have one length, so that the comparison tells nothing about that of the token.
    return token !== undefined && timingSafeEqual(digest(token), this.#tokenDigest);
  }
}

function unauthorized(): Reply {
  const reply = errorReply(401, "a token is needed: send it as Authorization: Bearer TOKEN");
  reply.headers.push(["www-authenticate", "Bearer"]);
  return reply;
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
