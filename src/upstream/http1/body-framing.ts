/**
 * How the body of a response ends, and whether its connection can carry another exchange
 * (RFC 9112, sections 6 and 9).
 *
 * Contract   where headers contradict each other the response is refused, never guessed at: two
 *            readers that guess differently see different messages on one connection.
 * Reports    MalformedResponseError: Content-Length that is no number or not always the same, both
 *            Content-Length and Transfer-Encoding, any transfer coding but chunked.
 */
import type { HeaderList } from "../../operation.ts";
import { MalformedResponseError } from "./malformed-response.ts";
import type { ResponseHead } from "./response-head.ts";

export type BodyFraming =
  | { readonly kind: "length"; readonly byteLength: number }
  | { readonly kind: "chunked" }
  | { readonly kind: "untilClose" };

const noBody: BodyFraming = { kind: "length", byteLength: 0 };

/** @param method of the request, as it was sent */
export function bodyFraming(method: string, head: ResponseHead): BodyFraming {
  if (method === "HEAD" || head.status === 204 || head.status === 304) return noBody;
  const byteLength = contentLength(head.headers);
  const [coding, ...more] = valuesOf(head.headers, "transfer-encoding");
  if (coding === undefined) {
    return byteLength === null ? { kind: "untilClose" } : { kind: "length", byteLength };
  }
  if (coding.toLowerCase() !== "chunked" || more.length > 0 || head.minorVersion === 0) {
    const got = [coding, ...more].join(", ");
    throw new MalformedResponseError("chunked as the only transfer coding, in HTTP/1.1", got);
  }
  if (byteLength !== null) {
    throw new MalformedResponseError("a length or chunks", "Content-Length and Transfer-Encoding");
  }
  return { kind: "chunked" };
}

/** Bytes of the body as its header gives them, also where no body follows; null without one. */
export function contentLength(headers: HeaderList): number | null {
  const [length, ...more] = valuesOf(headers, "content-length");
  if (length === undefined) return null;
  const byteLength = Number(length);
  const isNumber = /^\d+$/.test(length) && Number.isSafeInteger(byteLength);
  if (!isNumber || more.some((other) => other !== length)) {
    throw new MalformedResponseError("one Content-Length", [length, ...more].join(", "));
  }
  return byteLength;
}

/** Whether the server keeps the connection open once the body has ended by its framing. */
export function keepsConnection(head: ResponseHead): boolean {
  const options = valuesOf(head.headers, "connection")
    .flatMap((value) => value.split(","))
    .map((option) => option.trim().toLowerCase());
  return head.minorVersion === 0 ? options.includes("keep-alive") : !options.includes("close");
}

function valuesOf(headers: HeaderList, name: string): string[] {
  return headers.filter(([other]) => other === name).map(([, value]) => value);
}
