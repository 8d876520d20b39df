import { describe, expect, test } from "bun:test";
import { type ListenAddress, requireListenAddress } from "../../src/lifecycle/listen-address.ts";
import { memberNames, UsageError } from "../../src/usage-error.ts";

/** The address of documentation (RFC 5737, RFC 3849): no machine has it. */
const elsewhere = ["203.0.113.7", "2001:db8::7"];

describe("requireListenAddress()", () => {
  test.each(["127.0.0.1", "localhost", "0.0.0.0"])("%s is taken", async (host) => {
    await requireListenAddress({ host, port: 0 }, memberNames({ host }));
  });

  test("lets go of the port that it has tried", async () => {
    const free = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    const { port } = free;
    free.stop(true);
    const address = { host: "127.0.0.1", port };
    await requireListenAddress(address, memberNames({}));
    await requireListenAddress(address, memberNames({}));
    const server = Bun.serve({ hostname: "127.0.0.1", port, fetch: () => new Response() });
    await server.stop(true);
  });

  test("a port in use is named, and what to do", async () => {
    using taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
    const { port = 0 } = taken;
    await expect(
      requireListenAddress({ host: "127.0.0.1", port }, memberNames({})),
    ).rejects.toThrow(
      `port ${port} is in use: another program listens on it at 127.0.0.1; ` +
        "expected a free port, or 0 to pick one",
    );
  });

  test.each(elsewhere)("%s, an address of another machine, is named with our own", async (host) => {
    await expect(requireListenAddress({ host, port: 0 }, memberNames({ host }))).rejects.toThrow(
      new RegExp(
        `^host "${host}": it is no address of this machine \\(E\\w+\\); ` +
          "expected one of 127\\.0\\.0\\.1.*, or 0\\.0\\.0\\.0 for all$",
      ),
    );
  });

  test("a host that cannot be used is a wrong setting, a port in use is not", async () => {
    const found = async (address: ListenAddress) => {
      try {
        await requireListenAddress(address, memberNames(address));
      } catch (error) {
        return error;
      }
      return null;
    };
    expect(await found({ host: elsewhere[0] ?? "", port: 0 })).toBeInstanceOf(UsageError);
    using taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
    const refusal = await found({ host: "127.0.0.1", port: taken.port ?? 0 });
    expect(refusal).toBeInstanceOf(Error);
    expect(refusal).not.toBeInstanceOf(UsageError);
  });

  // What a resolver answers depends on the machine; that it has no such host does not.
  test.each(["nowhere.invalid", "999.1.1.1"])("%s, which is no host, is named", async (host) => {
    await expect(requireListenAddress({ host, port: 0 }, memberNames({ host }))).rejects.toThrow(
      new RegExp(`^host "${host}": it cannot be resolved.*; expected one of 127`),
    );
  });
});
