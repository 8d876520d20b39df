/**
 * Whether a server can listen where it is told to, found out before any process starts: workers
 * that load a tokenizer first would take seconds to fail, and the system's own words for it name
 * neither the host nor the setting.
 *
 * Contract   binds the address and lets go of it at once. What it has no sentence for passes: who
 *            listens in earnest then says what the system said.
 * Reports    rejects with one sentence: setting, value, what is wrong, what is expected. A host
 *            that cannot be used is a UsageError; a port that is taken is the machine's business.
 */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { faultSentence, type SettingFault, type SettingNames, UsageError } from "../usage-error.ts";

export interface ListenAddress {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

export async function requireListenAddress(
  address: ListenAddress,
  names: SettingNames,
): Promise<void> {
  const failure = failureToListen(address);
  if (failure === null) return;
  const { error: cause, code } = failure;
  const refusal = portRefusal(address, code, names.name("port"));
  if (refusal !== null) throw new Error(refusal, { cause });
  const fault = await hostFault(address.host, code);
  if (fault !== null) throw new UsageError(faultSentence(fault, names), { cause, fault });
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

/** Null when it is not the port. */
function portRefusal({ host, port }: ListenAddress, code: string | null, name: string) {
  switch (code) {
    case "EADDRINUSE":
      return (
        `${name} ${port} is in use: another program listens on it at ${host}; ` +
        "expected a free port, or 0 to pick one"
      );
    case "EACCES":
    case "EPERM":
      return `${name} ${port} is not open to this user (${code}); expected a port from 1024 on`;
    default:
      return null;
  }
}

/** Null when it is not the host. */
async function hostFault(host: string, code: string | null): Promise<SettingFault | null> {
  const fault = (problem: string): SettingFault => ({
    setting: "host",
    relation: null,
    problem,
    expected: ownAddresses(),
  });
  const found = isIP(host) === 0 ? await resolution(host) : { address: host };
  if ("problem" in found) return fault(found.problem);
  if (code !== "EADDRNOTAVAIL" && code !== "EINVAL") return null;
  const resolved = found.address === host ? "it" : found.address;
  return fault(`${resolved} is no address of this machine (${code})`);
}

type Resolution = { readonly address: string } | { readonly problem: string };

async function resolution(host: string): Promise<Resolution> {
  try {
    return { address: (await lookup(host)).address };
  } catch (error) {
    const code = codeOf(error);
    return code === "ENOTFOUND"
      ? { problem: "it cannot be resolved, there is no such host" }
      : { problem: `it cannot be resolved (${code ?? "for no known reason"})` };
  }
}

function ownAddresses(): string {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  // A link-local address is none without its interface.
  const usable = own.map(({ address }) => address).filter((text) => !text.startsWith("fe80:"));
  return `one of ${[...new Set(["127.0.0.1", ...usable])].join(", ")}, or 0.0.0.0 for all`;
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : null;
}
