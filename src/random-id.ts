/**
 * Ids that this server gives: to sessions, turns and to itself.
 *
 * Contract   a random UUID (version 4) as 32 hex digits: unguessable, and the same in a path, a
 *            header and a JSON text.
 */
export function randomId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}
