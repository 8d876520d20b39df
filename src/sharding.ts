// spec: ARCHITECTURE.md, "Processes"
/**
 * Who owns a session: every process computes the same owner from the id alone.
 *
 * Contract   owner = BLAKE2b with 8 bytes of digest over the UTF-8 id, read as a big-endian u64,
 *            modulo the worker count: Python's `hashlib.blake2b(id, digest_size=8)`.
 * Limits     workerCountMax. The count is fixed for the life of a server.
 * Not here   a cache: one hash takes about a microsecond.
 */
import { createBLAKE2b } from "hash-wasm";
import { assert } from "./assert.ts";
import { workerCountMax } from "./limits.ts";

const digestBits = 64;

export interface Sharding {
  /** Index of the owning worker, from 0 to the worker count minus one. */
  ownerOf(sessionId: string): number;
}

/** Loads the hash function, which is asynchronous only here. */
export async function createSharding(workerCount: number): Promise<Sharding> {
  assert(
    Number.isInteger(workerCount) && workerCount >= 1 && workerCount <= workerCountMax,
    `worker count out of range: ${workerCount}`,
  );
  const hash = await createBLAKE2b(digestBits);
  const encoder = new TextEncoder();
  return {
    ownerOf(sessionId) {
      const digest = hash.init().update(encoder.encode(sessionId)).digest("binary");
      // Horner's rule byte by byte stays below 2^53, so the u64 needs no BigInt.
      let remainder = 0;
      for (const byte of digest) remainder = (remainder * 256 + byte) % workerCount;
      return remainder;
    },
  };
}
