/**
 * The owner hash: once a request, in the router.
 */
import { createSharding } from "../../src/sharding.ts";
import type { MicroBenchmark } from "./micro-benchmark.ts";

const workers = 16;

export const ownerHash: MicroBenchmark = {
  name: "owner hash",
  operation: "the owner of one session id of 32 characters among 16 workers",
  async prepare() {
    const sharding = await createSharding(workers);
    const ids = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(32, "0"));
    let next = 0;
    return {
      bytes: null,
      run() {
        next = (next + 1) % ids.length;
        const owner = sharding.ownerOf(ids[next] ?? "");
        if (owner < 0 || owner >= workers) throw new Error(`no worker ${owner}`);
      },
    };
  },
};
