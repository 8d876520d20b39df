/**
 * Turns for tests of the record store, with the JSON text that a dump must hold for each.
 */
import { SpanScanner } from "../../src/json/span-scanner.ts";
import { dumpSession } from "../../src/records/dump.ts";
import type { PayloadIngest, RecordStore, RequestPart } from "../../src/records/record-store.ts";

export interface Turn {
  /** The backend's reply, as sent. */
  readonly response: string;
  readonly request: readonly RequestPart[];
}

export const timestamp = 1700000002.25;
export const requestTimestamp = 1700000000;

/** A reply with one payload text per choice and name: {"routed_experts": ['"AB"']}. */
export function reply(payloads: Readonly<Record<string, readonly string[]>>): string {
  const choiceCount = Math.max(1, ...Object.values(payloads).map((values) => values.length));
  const choices = Array.from({ length: choiceCount }, (_, index) => {
    const members = Object.entries(payloads).flatMap(([name, values]) =>
      values[index] === undefined ? [] : [`,"${name}": ${values[index]}`],
    );
    return `{"index":${index},"meta_info":{"id":"x"${members.join("")}}}`;
  });
  return `{"choices":[${choices.join(",")}],"model":"m"}`;
}

export function part(shared: string | null, text: string): RequestPart {
  return { shared, bytes: Buffer.from(text) };
}

/** A request in the parts that the core makes. */
export function request(messages: string, inputIds: string): RequestPart[] {
  return [
    part(null, '{"model":"m","messages":['),
    part("messages", messages),
    part(null, '],"input_ids":['),
    part("input_ids", inputIds),
    part(null, "]}"),
  ];
}

export function turn(payloads: Readonly<Record<string, readonly string[]>>): Turn {
  return { response: reply(payloads), request: request('{"role":"user"}', "1,2,3") };
}

/** The record's text in a dump. */
export function recordText({ request: parts, response }: Turn): string {
  return (
    '{"timestamp":1700000002.25,"request_timestamp":1700000000.0,"method":"POST"' +
    ',"path":"/v1/chat/completions"' +
    `,"request":${Buffer.concat(parts.map(({ bytes }) => bytes))}` +
    `,"response":${response},"status_code":200}`
  );
}

/** A turn that is being received: feed it, then commit or discard. */
export class TurnInFlight {
  readonly ingest: PayloadIngest;
  readonly turn: Turn;
  readonly #scanner: SpanScanner;
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(store: RecordStore, turn: Turn) {
    this.turn = turn;
    this.ingest = store.beginPayloads();
    this.#scanner = new SpanScanner(this.ingest.sink);
    this.#bytes = Buffer.from(turn.response);
  }

  get isComplete(): boolean {
    return this.#offset >= this.#bytes.length;
  }

  receive(byteLength: number): void {
    this.#scanner.push(this.#bytes.subarray(this.#offset, this.#offset + byteLength));
    this.#offset += byteLength;
  }

  commit(): void {
    this.prepare();
    this.ingest.commit();
  }

  /** All of the commit that can fail. */
  prepare(): void {
    if (!this.isComplete) this.receive(this.#bytes.length - this.#offset);
    this.ingest.prepare({
      timestamp,
      requestTimestamp,
      method: "POST",
      path: "/v1/chat/completions",
      request: this.turn.request,
      response: this.#scanner.finish(),
      statusCode: 200,
    });
  }

  discard(): void {
    this.ingest.discard();
  }
}

export function store(records: RecordStore, turn: Turn): void {
  new TurnInFlight(records, turn).commit();
}

export function dumpText(turns: readonly Turn[]): string {
  return `{"session_id":"s","records":[${turns.map(recordText).join(",")}],"metadata":{"a":1}}`;
}

/** Reads a dump to its end; slices are copied at once. */
export async function readDump(records: RecordStore): Promise<string> {
  const body = dumpSession({
    sessionId: "s",
    records: records.snapshot(),
    metadataJson: [Buffer.from('{"a":1}')],
  });
  return await readBody(body.chunks);
}

export async function readBody(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const slices: Buffer[] = [];
  for await (const slice of chunks) slices.push(Buffer.from(slice));
  return Buffer.concat(slices).toString();
}

/** Base64 letters that repeat nowhere. */
export function letters(byteLength: number, seed = 1): string {
  const bytes = Buffer.allocUnsafe(byteLength);
  let state = seed;
  for (let index = 0; index < byteLength; index += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    bytes[index] = 65 + ((state >>> 24) % 26);
  }
  return bytes.toString("latin1");
}
