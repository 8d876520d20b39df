/**
 * Runs the response parser over chunks and collects what it hands out.
 */
import type { BodyFraming } from "../../../src/upstream/http1/body-framing.ts";
import type { ResponseHead } from "../../../src/upstream/http1/response-head.ts";
import { ResponseParser } from "../../../src/upstream/http1/response-parser.ts";

export interface ParsedResponse {
  readonly head: ResponseHead | null;
  readonly framing: BodyFraming | null;
  /** latin1 */
  readonly body: string;
  readonly pieces: readonly Uint8Array[];
  readonly ended: boolean;
  readonly surplus: boolean;
  readonly error: Error | null;
}

/** The ways a connection can end: by the peer's word, by a break, or not within the test. */
export type Ending = "clean" | "reset" | "open";

export function parseResponse(
  chunks: Iterable<Uint8Array>,
  { method = "GET", ending = "open" }: { method?: string; ending?: Ending } = {},
): ParsedResponse {
  let head: ResponseHead | null = null;
  let framing: BodyFraming | null = null;
  let ended = false;
  let error: Error | null = null;
  const pieces: Uint8Array[] = [];
  const parser = new ResponseParser(method, {
    head(received, bodyFraming) {
      if (head !== null) throw new Error("two heads");
      head = received;
      framing = bodyFraming;
    },
    body(bytes) {
      if (head === null || ended) throw new Error("a body at the wrong time");
      if (bytes.length === 0) throw new Error("an empty piece");
      pieces.push(bytes);
    },
    end() {
      if (head === null || ended) throw new Error("an end at the wrong time");
      ended = true;
    },
  });
  try {
    for (const chunk of chunks) parser.push(chunk);
    if (ending !== "open") parser.close(ending === "clean");
  } catch (failure) {
    error = failure as Error;
  }
  if (error === null && parser.complete !== ended) throw new Error("complete without end()");
  const body = Buffer.concat(pieces).toString("latin1");
  return { head, framing, body, pieces, ended, surplus: parser.hasSurplus, error };
}

export function latin1(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}
