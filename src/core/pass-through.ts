/**
 * A backend's reply on its way to the client, unchanged: status, headers, body bytes.
 *
 * Contract   a body whose length is known and small is read first, so that a break in it becomes a
 *            clear 502; any other is streamed, so that a large reply costs no memory and a stream
 *            of events arrives as it is made.
 */
import { inlineReplyBytesMax } from "../limits.ts";
import type { Reply } from "../operation.ts";
import { readBody } from "../stream-body.ts";
import type { UpstreamReply } from "../upstream/upstream-client.ts";

export async function passThrough(reply: UpstreamReply): Promise<Reply> {
  const { status, headers, contentLength, body } = reply;
  if (contentLength !== null && contentLength <= inlineReplyBytesMax) {
    return { status, headers, body: await readBody(body) };
  }
  return { status, headers, body: { byteLength: contentLength, chunks: body } };
}
