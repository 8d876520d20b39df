/**
 * Whether a server can listen where it is told to, found out before any process starts: workers
 * that load a tokenizer first would take seconds to fail, and the system's own words for it name
 * neither the host nor the setting.
 *
 * Contract   binds the address and lets go of it at once. What it has no sentence for passes: who
 *            listens in earnest then says what the system said.
 * Reports    rejects with one sentence: setting, value, what is wrong, what is expected.
 */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";

export interface ListenAddress {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

export async function requireListenAddress(address: ListenAddress): Promise<void> {
  const failure = failureToListen(address);
  if (failure === null) return;
  const fault = await explanation(address, failure.code);
  if (fault !== null) throw new Error(fault, { cause: failure.error });
}

interface Failure {
  readonly error: unknown;
  /** The system's name for it, such as EADDRINUSE; null when it has none. */
  readonly code: string | null;
}

function failureToListen({ host, port }: ListenAddress): Failure | null {
  try {
    const socket = { open: (peer: Bun.Socket) => void peer.end(), data() {} };
    Bun.listen({ hostname: host, port, socket }).stop(true);
    return null;
  } catch (error) {
    return { error, code: codeOf(error) };
  }
}

/** Null when the cause is something else than the address. */
async function explanation(address: ListenAddress, code: string | null): Promise<string | null> {
  const { host, port } = address;
  switch (code) {
    case "EADDRINUSE":
      return (
        `--port ${port} is in use: another program listens on it at ${host}; ` +
        "expected a free port, or 0 to pick one"
      );
    case "EACCES":
    case "EPERM":
      return `--port ${port} is not open to this user (${code}); expected a port from 1024 on`;
  }
  const found = isIP(host) === 0 ? await resolution(host) : { address: host };
  if ("fault" in found) return `--host "${host}" ${found.fault}; ${ownAddresses()}`;
  if (code === "EADDRNOTAVAIL" || code === "EINVAL") {
    const resolved = found.address === host ? "" : ` (${found.address})`;
    return `--host "${host}"${resolved} is no address of this machine (${code}); ${ownAddresses()}`;
  }
  return null;
}

type Resolution = { readonly address: string } | { readonly fault: string };

async function resolution(host: string): Promise<Resolution> {
  try {
    return { address: (await lookup(host)).address };
  } catch (error) {
    const code = codeOf(error);
    return code === "ENOTFOUND"
      ? { fault: "cannot be resolved: there is no such host" }
      : { fault: `cannot be resolved (${code ?? "for no known reason"})` };
  }
}

function ownAddresses(): string {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  // A link-local address is none without its interface.
  const usable = own.map(({ address }) => address).filter((text) => !text.startsWith("fe80:"));
  return `expected one of ${[...new Set(["127.0.0.1", ...usable])].join(", ")}, or 0.0.0.0 for all`;
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : null;
}
