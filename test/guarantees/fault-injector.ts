/**
 * Loaded into every process of a real server (bunfig.toml, preload) and does to it what a test
 * cannot do from outside: on SIGUSR2, the fault that INJECTED_FAULT names.
 */
import { dlopen, FFIType, ptr } from "bun:ffi";
import { readFileSync } from "node:fs";

const addressSpace = 9; // RLIMIT_AS
const spareBytes = 256 * 1024 * 1024;

export const injectedFaults = ["exit", "reject", "throw", "exhaust", "busy"] as const;
export type InjectedFault = (typeof injectedFaults)[number];

function inject(fault: string | undefined): void {
  process.stderr.write(`injected: ${fault}\n`);
  switch (fault) {
    case "exit":
      process.exit(9);
      break;
    case "reject":
      void Promise.reject(new Error("a forgotten promise"));
      break;
    case "throw":
      throw new Error("a bug");
    case "exhaust":
      exhaustMemory();
      break;
    case "busy":
      for (;;);
  }
}

/** Lowers the limit to a little more than there is in use, and takes more than that. */
function exhaustMemory(): never {
  const libc = dlopen("libc.so.6", {
    setrlimit: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
  });
  const inUse = virtualBytes();
  const limit = new BigUint64Array([BigInt(inUse + spareBytes), BigInt(inUse + spareBytes)]);
  libc.symbols.setrlimit(addressSpace, ptr(limit));
  const held: unknown[] = [];
  for (;;) held.push({ index: held.length, list: [held.length, "x"] });
}

function virtualBytes(): number {
  const [pages = "0"] = readFileSync("/proc/self/statm", "utf8").split(" ");
  return Number(pages) * 4096;
}

process.on("SIGUSR2", () => inject(process.env["INJECTED_FAULT"]));
