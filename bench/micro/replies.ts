/**
 * What happens to the bytes of a reply: the span scanner over chunks as a socket delivers them, and
 * the record store's comparison with what it holds already.
 */
import { SpanScanner } from "../../src/json/span-scanner.ts";
import type { PayloadSink } from "../../src/json/span-stream.ts";
import { RecordStore } from "../../src/records/record-store.ts";
import { makeReplayText } from "../workload/replay-text.ts";
import type { MicroBenchmark, MicroSize } from "./micro-benchmark.ts";

/** Bytes of one chunk of Bun's fetch. */
const chunkBytes = 512 * 1024;
const seed = 1;

function payloadText(size: MicroSize): Uint8Array {
  return makeReplayText(size === "smoke" ? 3_000 : 48 * 1024 * 1024, 1, seed);
}

function replyChunks(payload: Uint8Array): Uint8Array[] {
  const logprobs = Array.from({ length: 200 }, (_, index) => [-index / 128, 1000 + index, null]);
  const [before = "", after = ""] = JSON.stringify({
    id: "chatcmpl-1",
    choices: [
      {
        message: { role: "assistant", content: "done" },
        meta_info: { output_token_logprobs: logprobs, routed_experts: "payload" },
      },
    ],
  }).split("payload");
  const reply = Buffer.concat([Buffer.from(before), payload, Buffer.from(after)]);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < reply.length; at += chunkBytes) {
    chunks.push(reply.subarray(at, at + chunkBytes));
  }
  return chunks;
}

function scan(chunks: readonly Uint8Array[], sink: PayloadSink) {
  const scanner = new SpanScanner(sink);
  for (const chunk of chunks) scanner.push(chunk);
  return scanner.finish();
}

export const spanScanner: MicroBenchmark = {
  name: "span scanner",
  operation: "one reply with 64 MiB of routed_experts that is found and dropped",
  prepare(size) {
    const chunks = replyChunks(payloadText(size));
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const sink: PayloadSink = { begin() {}, write: () => 0, end() {} };
    return {
      bytes,
      run() {
        if (scan(chunks, sink).members.length !== 1) throw new Error("the payload was not found");
      },
    };
  },
};

export const payloadStore: MicroBenchmark = {
  name: "payload store",
  operation: "one reply with 64 MiB of routed_experts that is scanned and stored, then let go",
  prepare(size) {
    const chunks = replyChunks(payloadText(size));
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const store = new RecordStore();
    return {
      bytes,
      run() {
        const ingest = store.beginPayloads();
        if (scan(chunks, ingest.sink).members.length !== 1) throw new Error("no payload");
        ingest.discard();
      },
    };
  },
};

export const extentCompare: MicroBenchmark = {
  name: "extent compare",
  operation: "one reply with 64 MiB of routed_experts that the session holds already",
  prepare(size) {
    const chunks = replyChunks(payloadText(size));
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    const store = new RecordStore();
    const first = store.beginPayloads();
    first.prepare({
      timestamp: 1,
      requestTimestamp: 0,
      method: "POST",
      path: "/v1/chat/completions",
      request: [],
      response: scan(chunks, first.sink),
      statusCode: 200,
    });
    first.commit();
    const heldBytes = store.retainedBytes;
    return {
      bytes,
      run() {
        const ingest = store.beginPayloads();
        scan(chunks, ingest.sink);
        ingest.discard();
        if (store.retainedBytes > heldBytes) throw new Error("known bytes were kept again");
      },
    };
  },
};
