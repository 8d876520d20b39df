// spec: docs/ipc-protocol.md, "Messages"
/**
 * Serves an operation handler on a Unix socket: requests come over channels, large or streamed
 * replies leave over lanes.
 *
 * Contract   each operation is handed to the handler once, as it arrived. A reply's body arrives as
 *            the kind it was returned: bytes as bytes, a stream as a stream.
 * Reports    an operation that cannot be read is answered by an ERROR frame.
 * Limits     inlineReplyBytesMax: what is larger goes over a lane.
 */
import { inlineReplyBytesMax } from "../limits.ts";
import type { OperationHandler, Reply } from "../operation.ts";
import { releaseBody, type StreamBody, streamOf } from "../stream-body.ts";
import { type ChannelHandler, ChannelServer } from "./channel-server.ts";
import { LaneOffers } from "./lane-offers.ts";
import { decodeRequest, encodeReply } from "./operation-message.ts";
import { listenUnixSocket, type UnixListener } from "./unix-socket.ts";

export class OperationServer implements ChannelHandler {
  readonly #handler: OperationHandler;
  readonly #listener: UnixListener;
  readonly #channels = new Set<ChannelServer>();
  readonly #offers = new LaneOffers();
  #onIdle: (() => void) | null = null;

  /** Listens at `socketPath` at once; throws the system's error when it cannot. */
  constructor(socketPath: string, handler: OperationHandler) {
    this.#handler = handler;
    this.#listener = listenUnixSocket(socketPath, (stream) => {
      const channel = new ChannelServer(stream, this);
      this.#channels.add(channel);
      return channel;
    });
  }

  /** Replies announced whose lane was not opened yet: tests of what is left behind look here. */
  get lanesOffered(): number {
    return this.#offers.count;
  }

  async answer(payload: readonly Uint8Array[], channel: ChannelServer): Promise<Uint8Array[]> {
    const { operation, body } = decodeRequest(payload);
    const reply = await this.#handler.handle(operation, body);
    if (channel.open) return this.#encode(reply, channel);
    // Nobody is there to take it: what it holds must still be let go.
    releaseBody(reply.body);
    return [];
  }

  claimLane(token: string): StreamBody | null {
    return this.#offers.claim(token);
  }

  channelClosed(channel: ChannelServer): void {
    this.#channels.delete(channel);
    this.#offers.releaseAnnouncedBy(channel);
    this.#noticeIdle();
  }

  channelIdle(): void {
    this.#noticeIdle();
  }

  /**
   * Takes no new connection, waits for what is in flight on open ones for at most `graceMs`, then
   * closes them all. Work whose asker has left is not waited for.
   */
  async stop(graceMs: number): Promise<void> {
    this.#listener.stop();
    if (!this.#idle) {
      const idle = Promise.withResolvers<void>();
      this.#onIdle = idle.resolve;
      const deadline = setTimeout(idle.resolve, graceMs);
      await idle.promise;
      clearTimeout(deadline);
    }
    for (const channel of [...this.#channels]) channel.close();
  }

  get #idle(): boolean {
    return [...this.#channels].every((channel) => channel.inFlight === 0);
  }

  #noticeIdle(): void {
    if (this.#onIdle !== null && this.#idle) this.#onIdle();
  }

  async #encode(reply: Reply, channel: ChannelServer): Promise<Uint8Array[]> {
    const { status, headers, body } = reply;
    const { byteLength } = body;
    const streamed = !(body instanceof Uint8Array);
    const meta = { status, headers, body: streamed ? "stream" : "bytes", byteLength } as const;
    if (byteLength !== null && byteLength <= inlineReplyBytesMax) {
      const slices = streamed ? await collect(body) : [body];
      return encodeReply({ ...meta, lane: null }, slices);
    }
    const offered = streamed ? body : streamOf(body);
    return encodeReply({ ...meta, lane: this.#offers.offer(offered, channel) }, []);
  }
}

async function collect(body: StreamBody): Promise<Uint8Array[]> {
  const slices: Uint8Array[] = [];
  let byteLength = 0;
  for await (const chunk of body.chunks) {
    slices.push(chunk);
    byteLength += chunk.byteLength;
  }
  if (byteLength !== body.byteLength) {
    throw new Error(`a body of ${body.byteLength} bytes had ${byteLength}`);
  }
  return slices;
}
