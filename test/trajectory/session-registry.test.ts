import { describe, expect, test } from "bun:test";
import { SessionExistsError, SessionNotFoundError } from "../../src/errors.ts";
import { SessionRegistry } from "../../src/trajectory/session-registry.ts";
import { noSettings } from "../../src/trajectory/session-settings.ts";

describe("SessionRegistry", () => {
  test("gives back what it created, until it is removed", () => {
    const registry = new SessionRegistry(0);
    const session = registry.create("a", noSettings);
    expect(registry.get("a")).toBe(session);
    expect(registry.getOpen("a")).toBe(session);
    registry.remove(session);
    expect(() => registry.get("a")).toThrow(SessionNotFoundError);
  });

  test("refuses an id that is taken", () => {
    const registry = new SessionRegistry(0);
    registry.create("a", noSettings);
    expect(() => registry.create("a", noSettings)).toThrow(SessionExistsError);
  });

  test("shows a closing session to readers, not to turns", () => {
    const registry = new SessionRegistry(0);
    registry.create("a", noSettings).closing = true;
    expect(registry.get("a").closing).toBe(true);
    expect(() => registry.getOpen("a")).toThrow(SessionNotFoundError);
  });

  test("frees the records of a removed session", () => {
    const registry = new SessionRegistry(0);
    const session = registry.create("a", noSettings);
    const ingest = session.records.beginPayloads();
    ingest.sink.begin(0, "routed_experts");
    ingest.sink.write(new Uint8Array(1 << 20));
    ingest.sink.end();
    expect(session.records.retainedBytes).toBeGreaterThan(0);
    registry.remove(session);
    ingest.discard();
    expect(session.records.retainedBytes).toBe(0);
  });

  test.each(["__proto__", "constructor", ""])("takes %p as an id like any other", (id) => {
    const registry = new SessionRegistry(0);
    expect(() => registry.get(id)).toThrow(SessionNotFoundError);
    registry.create(id, noSettings);
    expect(registry.get(id).id).toBe(id);
  });
});
