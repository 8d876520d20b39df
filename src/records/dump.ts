/**
 * A session's records as one JSON document, streamed out of the slabs they are stored in.
 *
 * Contract   the document is that of the moment its snapshot was taken, whatever happens to the
 *            session meanwhile; its length is known in advance. Large pieces are views of stored
 *            bytes, small ones are put together, no slice exceeds streamSliceBytes. The snapshot is
 *            released when the last slice has been followed by a next(), or by return().
 * Limits     when the consumer asks for the next slice, it may still hold two that it has not
 *            written: the last two are copies, so that no view outlives the snapshot. Whoever
 *            collects the slices of a large dump copies each as it comes.
 */
import { concatBytes } from "../bytes.ts";
import { streamSliceBytes } from "../limits.ts";
import type { StreamBody } from "../stream-body.ts";
import type { RecordSnapshot } from "./record-store.ts";

/** A piece of at least this is handed out as it stands; below, a copy is cheaper than a write. */
const viewBytesMin = 64 * 1024;

/** Bytes at the end that are handed out as copies. */
const copiedTailBytes = 2 * streamSliceBytes;

export interface SessionDump {
  readonly sessionId: string;
  /** Taken by RecordStore.snapshot(); released by the dump. */
  readonly records: RecordSnapshot;
  /** JSON text of the "metadata" member, in pieces that are the dump's own. */
  readonly metadataJson: readonly Uint8Array[];
}

/** `{"session_id":"..","records":[..],"metadata":{..}}`, the bytes of GET /sessions/{id}. */
export function dumpSession({ sessionId, records, metadataJson }: SessionDump): StreamBody {
  const head = Buffer.from(`{"session_id":${JSON.stringify(sessionId)},"records":[`);
  const tail = [Buffer.from('],"metadata":'), ...metadataJson, Buffer.from("}")];
  const stored = records.records;
  const commaBytes = Math.max(0, stored.length - 1);
  const recordBytes = stored.reduce((sum, record) => sum + record.text.byteLength, 0);
  const tailBytes = tail.reduce((sum, piece) => sum + piece.length, 0);
  const byteLength = head.length + recordBytes + commaBytes + tailBytes;
  const slices = sliced(pieces(head, records, tail), byteLength);
  return { byteLength, chunks: releasing(slices, () => records.release()) };
}

function* pieces(head: Uint8Array, snapshot: RecordSnapshot, tail: readonly Uint8Array[]) {
  const comma = Buffer.from(",");
  yield head;
  for (const [index, record] of snapshot.records.entries()) {
    if (index > 0) yield comma;
    for (const { slab, start, end } of record.text.extents) {
      slab.handedOut = Math.max(slab.handedOut, end);
      yield slab.bytes.subarray(start, end);
    }
  }
  yield* tail;
}

/** Cuts large pieces and gathers small ones. */
function* sliced(source: Iterable<Uint8Array>, byteLength: number): Generator<Uint8Array> {
  let gathered: Uint8Array[] = [];
  let gatheredBytes = 0;
  /** Bytes from here on that may be handed out as views. */
  let viewableBytes = byteLength - copiedTailBytes;
  for (const piece of source) {
    let offset = 0;
    while (offset < piece.length) {
      const restBytes = piece.length - offset;
      const viewBytes = Math.min(restBytes, streamSliceBytes, viewableBytes);
      const isView = viewBytes >= viewBytesMin;
      if (gatheredBytes > 0 && (isView || gatheredBytes === streamSliceBytes)) {
        yield concatBytes(gathered, gatheredBytes);
        gathered = [];
        gatheredBytes = 0;
      }
      const takenBytes = isView ? viewBytes : Math.min(restBytes, streamSliceBytes - gatheredBytes);
      const taken = piece.subarray(offset, offset + takenBytes);
      if (isView) yield taken;
      else {
        gathered.push(taken);
        gatheredBytes += takenBytes;
      }
      offset += takenBytes;
      viewableBytes -= takenBytes;
    }
  }
  if (gatheredBytes > 0) yield concatBytes(gathered, gatheredBytes);
}

/** The slices as an async iterable that can be read once and releases what they are views of. */
function releasing(slices: Iterator<Uint8Array>, release: () => void): AsyncIterable<Uint8Array> {
  let isReleased = false;
  const end = () => {
    if (!isReleased) release();
    isReleased = true;
  };
  const done: IteratorResult<Uint8Array, undefined> = { done: true, value: undefined };
  const iterator: AsyncIterator<Uint8Array> = {
    async next() {
      if (isReleased) return done;
      const result = slices.next();
      if (result.done !== true) return result;
      end();
      return done;
    },
    async return() {
      end();
      return done;
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}
