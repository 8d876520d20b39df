/**
 * One turn on its way into a record store.
 *
 * Contract   `sink` takes the payloads while the reply streams in; prepare() adds request and
 *            reply, commit() stores the record, discard() leaves the store as if the turn had never
 *            been and does nothing after a commit. What can fail is done by prepare().
 */
import { assert } from "../assert.ts";
import type { ScannedDocument } from "../json/span-scanner.ts";
import type { PayloadSink, ReplayPayloadName } from "../json/span-stream.ts";
import { RecordText } from "./record-text.ts";
import { SharedTextWriter } from "./shared-text.ts";
import type { StoredText } from "./slab.ts";
import type { SlabArena } from "./slab-arena.ts";
import { SlabWriter } from "./slab-writer.ts";
import { type RecordHolds, StoredRecord } from "./stored-record.ts";

/** A piece of a request's JSON text; the text of a stream repeats that of the turn before. */
export interface RequestPart {
  /** Name of the stream that the text belongs to, or null. */
  readonly shared: string | null;
  readonly bytes: Uint8Array;
}

export interface TurnRecord {
  /** Seconds since 1970, when the turn was stored. */
  readonly timestamp: number;
  /** Seconds since 1970, when the client's request arrived. */
  readonly requestTimestamp: number;
  readonly method: string;
  readonly path: string;
  /** The request as the backend got it: JSON text in parts. */
  readonly request: readonly RequestPart[];
  /** What the scanner that fed `sink` returned. */
  readonly response: ScannedDocument;
  readonly statusCode: number;
}

/** What a turn needs of its store. */
export interface IngestHost {
  readonly arena: SlabArena;
  readonly holds: RecordHolds;
  newestWith(stream: string): StoredRecord | undefined;
  append(record: StoredRecord): void;
}

interface Payload {
  readonly stream: string;
  readonly text: StoredText;
}

export class PayloadIngest {
  /** For the SpanScanner of this turn's reply. */
  readonly sink: PayloadSink = {
    begin: (choiceIndex, name) => this.#beginPayload(choiceIndex, name),
    write: (bytes) => this.#writePayload(bytes),
    end: () => this.#endPayload(),
  };
  readonly #host: IngestHost;
  readonly #writer: SlabWriter;
  /** By stream, of the request's texts: each goes on where it ended, in a place of its own. */
  readonly #textWriters = new Map<string, SlabWriter>();
  /** Records that this turn compares with, held so that nothing overwrites them. */
  readonly #bases = new Set<StoredRecord>();
  readonly #payloads: Payload[] = [];
  #current: { stream: string; text: SharedTextWriter } | null = null;
  #prepared: StoredRecord | null = null;
  #isOpen = true;

  constructor(host: IngestHost) {
    this.#host = host;
    this.#writer = new SlabWriter(host.arena);
  }

  /** Does all of storing the turn that can fail; nothing of the store has changed yet. */
  prepare(turn: TurnRecord): void {
    assert(this.#isOpen && this.#current === null, "a turn is stored once, when it is complete");
    assert(this.#prepared === null, "a turn is prepared once");
    const { members } = turn.response;
    assert(members.length === this.#payloads.length, "the response is not the one of this sink");
    const streams = new Map<string, StoredText>();
    const record = new RecordText(this.#writer);
    record.add(
      `{"timestamp":${pythonFloat(turn.timestamp)}` +
        `,"request_timestamp":${pythonFloat(turn.requestTimestamp)}` +
        `,"method":${JSON.stringify(turn.method)},"path":${JSON.stringify(turn.path)},"request":`,
    );
    for (const part of turn.request) {
      if (part.shared === null) record.addBytes(part.bytes);
      else {
        const text = this.#sharedText(part.shared, part.bytes);
        streams.set(part.shared, text);
        record.addText(text);
      }
    }
    record.add(',"response":');
    this.#addResponse(turn.response, record, streams);
    record.add(`,"status_code":${turn.statusCode}}`);
    this.#prepared = new StoredRecord(record.finish(), streams);
  }

  /** Stores the prepared turn. */
  commit(): void {
    assert(this.#isOpen && this.#prepared !== null, "a turn is stored once, when it is prepared");
    this.#host.append(this.#prepared);
    for (const writer of this.#writers()) writer.commit();
    this.#close();
  }

  /** Drops the turn unless it was stored. */
  discard(): void {
    if (!this.#isOpen) return;
    for (const writer of this.#writers()) writer.discard();
    this.#close();
  }

  #writers(): SlabWriter[] {
    return [this.#writer, ...this.#textWriters.values()];
  }

  #close(): void {
    this.#isOpen = false;
    this.#current = null;
    this.#prepared = null;
    this.#payloads.length = 0;
    this.#host.holds.release(this.#bases);
    this.#bases.clear();
  }

  #beginPayload(choiceIndex: number, name: ReplayPayloadName): void {
    assert(this.#isOpen && this.#current === null, "payloads come one after the other");
    const stream = `${name}/${choiceIndex}`;
    this.#current = { stream, text: this.#sharedTextWriter(stream, this.#writer) };
  }

  #writePayload(bytes: Uint8Array): number {
    assert(this.#current !== null, "a payload begins before its bytes");
    return this.#current.text.write(bytes);
  }

  #endPayload(): void {
    assert(this.#current !== null, "a payload begins before it ends");
    this.#payloads.push({ stream: this.#current.stream, text: this.#current.text.finish() });
    this.#current = null;
  }

  #addResponse(
    { skeleton, members }: ScannedDocument,
    record: RecordText,
    streams: Map<string, StoredText>,
  ): void {
    let offset = 0;
    for (const [index, member] of members.entries()) {
      const { stream, text } = this.#payloads[index] as Payload;
      assert(text.byteLength === member.valueBytes, "a payload is as long as its member");
      record.addBytes(skeleton.subarray(offset, member.offset));
      record.addBytes(member.before);
      record.addText(text);
      record.addBytes(member.after);
      streams.set(stream, text);
      offset = member.offset;
    }
    record.addBytes(skeleton.subarray(offset));
  }

  #sharedText(stream: string, bytes: Uint8Array): StoredText {
    const writer = this.#textWriters.get(stream) ?? new SlabWriter(this.#host.arena, stream);
    this.#textWriters.set(stream, writer);
    const text = this.#sharedTextWriter(stream, writer);
    text.write(bytes);
    return text.finish();
  }

  #sharedTextWriter(stream: string, writer: SlabWriter): SharedTextWriter {
    const base = this.#host.newestWith(stream);
    if (base !== undefined && !this.#bases.has(base)) {
      this.#host.holds.retain(base);
      this.#bases.add(base);
    }
    return new SharedTextWriter(base?.streams.get(stream) ?? null, writer);
  }
}

/** A count of seconds as Python writes a float: whole numbers end in ".0". */
function pythonFloat(seconds: number): string {
  return Number.isInteger(seconds) ? `${seconds}.0` : String(seconds);
}
