/**
 * GET v1/models of a session where the backend has no such list: clients ask for it before they ask
 * for anything else, and take 404 for a wrong address.
 */
import { jsonReply, type Reply } from "../operation.ts";
import type { UpstreamReply } from "../upstream/upstream-client.ts";

/** Statuses of a backend that does not know the path, or not this way to ask. */
const unknownPathStatuses: ReadonlySet<number> = new Set([404, 405, 501]);

export function isModelsRequest({ method, path }: { method: string; path: string }): boolean {
  return method === "GET" && path === "v1/models";
}

/** Null when the backend's own answer is one. */
export function standInModels(upstreamReply: UpstreamReply): Reply | null {
  if (!unknownPathStatuses.has(upstreamReply.status)) return null;
  return jsonReply(200, {
    object: "list",
    data: [{ id: "default", object: "model", created: 0, owned_by: "session-server" }],
  });
}
