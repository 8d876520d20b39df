/**
 * Loaded into every process of a real server (preload) and does to it what a test cannot do from
 * outside: on SIGUSR2, the fault that the file FAULT_FILE names at that moment; at its start, a
 * loop without end in the child whose name HANGS_AT_START is.
 */
import { dlopen, FFIType, ptr } from "bun:ffi";
import { readFileSync } from "node:fs";
import { childParametersVariable } from "../../src/lifecycle/child-contract.ts";

const addressSpace = 9; // RLIMIT_AS
const spareBytes = 256 * 1024 * 1024;
/** What is left when one more is refused is enough for a process to say so. */
const bytesAtOnce = 16 * 1024 * 1024;

export type InjectedFault = "exit" | "reject" | "throw" | "exhaust" | "busy";

function inject(fault: InjectedFault): void {
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
  for (;;) held.push(new Uint8Array(bytesAtOnce));
}

function virtualBytes(): number {
  const [pages = "0"] = readFileSync("/proc/self/statm", "utf8").split(" ");
  return Number(pages) * 4096;
}

function ownName(): string | null {
  const parameters = process.env[childParametersVariable];
  return parameters === undefined ? null : (JSON.parse(parameters) as { name: string }).name;
}

const { FAULT_FILE: faultFile, HANGS_AT_START: hanging } = process.env;
if (faultFile !== undefined) {
  process.on("SIGUSR2", () => inject(readFileSync(faultFile, "utf8") as InjectedFault));
}
if (hanging !== undefined && ownName() === hanging) {
  for (;;);
}
