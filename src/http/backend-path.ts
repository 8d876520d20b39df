/**
 * Which paths may be relayed to the backend.
 *
 * Contract   a path that is let through stays below the backend's origin and base path however
 *            often it is decoded on its way: no segment is "." or "..", no backslash stands for a
 *            slash. Within that, only paths that a list allows are relayed.
 * Limits     pathDecodingsMax.
 * Not here   the origin itself: a path is always appended to it behind a slash.
 */
import { pathDecodingsMax } from "../limits.ts";

/** A "." or ".." as a segment, also with the parameters that some servers cut off. */
const dotSegment = /(^|\/)\.{1,2}(;[^/]*)?(\/|$)/;

/** The path as a backend reads it, or null when it could lead out of the backend's base path. */
export function readBackendPath(rawPath: string): string | null {
  const decodedOnce = decode(rawPath);
  let path = rawPath;
  for (let level = 0; level < pathDecodingsMax; level++) {
    if (dotSegment.test(path) || path.includes("\\")) return null;
    const decoded = decode(path);
    if (decoded === path) return decodedOnce;
    path = decoded;
  }
  return null;
}

/** @param allowed paths without leading slash; one that ends with "*" allows all that begin so */
export function isPathAllowed(path: string, allowed: readonly string[]): boolean {
  return allowed.some((pattern) =>
    pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
  );
}

/** Byte by byte: only ASCII matters here, and an escape that is none stands for itself. */
function decode(path: string): string {
  if (!path.includes("%")) return path;
  return path.replace(/%([0-9a-fA-F]{2})/g, (_escape, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
