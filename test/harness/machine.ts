/**
 * What tests must know of the machine they run on: what it has, and how much it lets them take.
 */
import { readFileSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";

/** Whether ::1 is an address of this machine: containers are often started without IPv6. */
export const hasIpv6Loopback: boolean = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === "::1"),
);

/** Files that this process may have open (ulimit -n). */
export function openFilesMax(): number {
  const limits = readFileSync("/proc/self/limits", "utf8");
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
}

/** Bytes that the kernel holds of one TCP connection at most: on the way out, and on the way in. */
export function tcpBufferBytesMax(): number {
  const largest = (name: string): number =>
    Number(readFileSync(`/proc/sys/net/ipv4/${name}`, "utf8").trim().split(/\s+/).at(-1));
  return largest("tcp_wmem") + largest("tcp_rmem");
}

/** States of the ends on this machine of connections to `peerPort`, as the kernel writes them. */
export function tcpStates(peerPort: number): string[] {
  return tcpRows(peerPort).map(([, , , state]) => state ?? "");
}

/**
 * Milliseconds until the kernel probes the peer of each connection from here to `peerPort`, in ticks
 * of 10 ms; null for one whose next timer is another, or that has none.
 */
export function tcpProbeMs(peerPort: number): (number | null)[] {
  return tcpRows(peerPort).map(([, , , , , timer]) => {
    const [kind, ticks = ""] = (timer ?? "").split(":");
    return kind === "02" ? 10 * Number.parseInt(ticks, 16) : null;
  });
}

/** The kernel's rows of the ends on this machine of connections to `peerPort`. */
function tcpRows(peerPort: number): string[][] {
  const hexadecimalPort = peerPort.toString(16).toUpperCase().padStart(4, "0");
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , peer]) => peer?.endsWith(`:${hexadecimalPort}`));
}

/** The state of a connection that neither end has closed. */
export const established = "01";

/**
 * A place for Unix sockets: their paths end at 107 bytes, which a long TMPDIR uses up.
 */
export const socketsRoot: string = tmpdir().length <= 48 ? tmpdir() : "/tmp";

/** Where nobody listens: port 1 is nobody's, while one that was free a moment ago may be taken. */
export const refusingUrl = "http://127.0.0.1:1";
