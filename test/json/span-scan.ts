/**
 * Runs the span scanner on whole documents and puts its results together again.
 */
import { type ScannedDocument, SpanScanner } from "../../src/json/span-scanner.ts";
import type { PayloadSink, ReplayPayloadName } from "../../src/json/span-stream.ts";
import type { Random } from "../harness/random.ts";

export interface CollectedPayload {
  readonly choiceIndex: number;
  readonly name: ReplayPayloadName;
  readonly value: Buffer;
}

export class CollectingSink implements PayloadSink {
  readonly payloads: CollectedPayload[] = [];
  #open: { choiceIndex: number; name: ReplayPayloadName; parts: Buffer[] } | null = null;

  begin(choiceIndex: number, name: ReplayPayloadName): void {
    if (this.#open !== null) throw new Error("a payload began inside another");
    this.#open = { choiceIndex, name, parts: [] };
  }

  write(bytes: Uint8Array): number {
    if (bytes.length === 0) throw new Error("an empty write");
    this.#open?.parts.push(Buffer.from(bytes));
    return 0;
  }

  end(): void {
    if (this.#open === null) throw new Error("a payload ended twice");
    const { choiceIndex, name, parts } = this.#open;
    this.payloads.push({ choiceIndex, name, value: Buffer.concat(parts) });
    this.#open = null;
  }
}

export interface Scan {
  readonly document: ScannedDocument;
  readonly payloads: readonly CollectedPayload[];
  readonly skeleton: string;
}

/** Pushes the document in the given chunks; each is overwritten afterwards, as a socket's may be. */
export function scanChunks(chunks: Iterable<Uint8Array>): Scan {
  const sink = new CollectingSink();
  const scanner = new SpanScanner(sink);
  for (const chunk of chunks) {
    const lent = Uint8Array.from(chunk);
    scanner.push(lent);
    lent.fill(0x21);
  }
  const document = scanner.finish();
  return {
    document,
    payloads: sink.payloads,
    skeleton: Buffer.from(document.skeleton).toString("utf8"),
  };
}

export function scan(text: string | Uint8Array): Scan {
  return scanChunks([Buffer.from(text)]);
}

/** Cuts at random places, now and then into an empty chunk. */
export function* randomChunks(bytes: Uint8Array, random: Random): Generator<Uint8Array> {
  const most = random.pick([1, 3, 10, 100, bytes.length + 1]);
  for (let offset = 0; offset < bytes.length; ) {
    const length = most === 1 ? 1 : random.integer(0, most);
    yield bytes.subarray(offset, offset + length);
    offset += length;
  }
}

/** The document that was scanned, from what the scanner made of it. */
export function reassemble({ document, payloads }: Scan): Buffer {
  const parts: Uint8Array[] = [];
  if (document.byteOrderMark) parts.push(Buffer.from([0xef, 0xbb, 0xbf]));
  let offset = 0;
  for (const [index, member] of document.members.entries()) {
    const payload = payloads[index];
    if (payload?.name !== member.name || payload.choiceIndex !== member.choiceIndex) {
      throw new Error("members and payloads disagree");
    }
    if (payload.value.length !== member.valueBytes) throw new Error("valueBytes is wrong");
    parts.push(document.skeleton.subarray(offset, member.offset));
    parts.push(member.before, payload.value, member.after);
    offset = member.offset;
  }
  parts.push(document.skeleton.subarray(offset));
  return Buffer.concat(parts);
}
