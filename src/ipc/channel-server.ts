// spec: docs/ipc-protocol.md, "Channels"
/**
 * The answering end of one connection: a channel that carries requests, or one lane.
 *
 * Contract   requests are handled side by side and answered when ready. What a handler started runs
 *            to its end even when the connection is gone; its answer is then released.
 * Reports    a handler that raises, or whose reply passes frameBytesMax, is answered by an ERROR
 *            frame with its message; garbage from the peer closes the connection.
 */
import { errorText } from "../errors.ts";
import { log } from "../log.ts";
import type { StreamBody } from "../stream-body.ts";
import type { ByteStream, ByteStreamHandlers } from "./byte-stream.ts";
import { ByteWriter } from "./byte-writer.ts";
import { joined } from "./envelope.ts";
import { type Frame, FrameError, frameTypes } from "./frame.ts";
import { FrameReader } from "./frame-reader.ts";
import { FrameWriter } from "./frame-writer.ts";
import { LaneSender } from "./lane-sender.ts";
import { decodeLaneToken, type LaneToken } from "./lane-token.ts";

/** What a connection asks of its server. */
export interface ChannelHandler {
  /** Carries a request out; `channel` names the connection it came from. */
  answer(payload: readonly Uint8Array[], channel: ChannelServer): Promise<Uint8Array[]>;
  /** The body to be sent over a lane; null for a token that names none. */
  claimLane(token: LaneToken): StreamBody | null;
  /** The connection is gone. */
  channelClosed(channel: ChannelServer): void;
  /** The connection has nothing in flight any more. */
  channelIdle(channel: ChannelServer): void;
}

const encoder = new TextEncoder();

export class ChannelServer implements ByteStreamHandlers {
  readonly #stream: ByteStream;
  readonly #handler: ChannelHandler;
  readonly #writer: ByteWriter;
  readonly #frames: FrameWriter;
  readonly #reader = new FrameReader();
  #inFlight = 0;
  #lane: LaneSender | null = null;
  #open = true;

  constructor(stream: ByteStream, handler: ChannelHandler) {
    this.#stream = stream;
    this.#handler = handler;
    this.#writer = new ByteWriter(stream);
    this.#frames = new FrameWriter(this.#writer);
  }

  /** Whether the peer is there to take answers. */
  get open(): boolean {
    return this.#open;
  }

  /** Requests and lanes that are not answered in full. */
  get inFlight(): number {
    return this.#inFlight;
  }

  close(): void {
    if (this.#open) this.#stream.close();
  }

  received(chunk: Uint8Array): void {
    if (!this.#open) return;
    try {
      for (const frame of this.#reader.push(chunk)) this.#take(frame);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      log.error(`a channel is closed, it carried garbage: ${error.message}`);
      this.close();
    }
  }

  drained(): void {
    this.#writer.drained();
  }

  closed(): void {
    this.#open = false;
    this.#writer.close();
    this.#lane?.release();
    this.#handler.channelClosed(this);
  }

  #take(frame: Frame): void {
    if (this.#lane !== null) throw new FrameError("a frame after a lane was opened");
    if (frame.type === frameTypes.request) this.#track(this.#answer(frame));
    else if (frame.type === frameTypes.lane) this.#openLane(frame);
    else throw new FrameError(`a request of type ${frame.type}`);
  }

  async #answer(frame: Frame): Promise<void> {
    try {
      const payload = await this.#handler.answer(frame.payload, this);
      this.#frames.send(frame.requestId, frameTypes.reply, payload);
    } catch (error) {
      log.error(`a request failed: ${errorText(error)}`, error);
      this.#frames.send(frame.requestId, frameTypes.error, [encoder.encode(errorText(error))]);
    }
    await this.#writer.idle();
  }

  #openLane(frame: Frame): void {
    const body = this.#handler.claimLane(decodeLaneToken(joined(frame.payload)));
    if (body === null) throw new FrameError("a lane that was not offered");
    const lane = new LaneSender(body.chunks, this.#writer);
    this.#lane = lane;
    // Whole or cut, the connection ends with the lane: the end mark tells the reader which.
    this.#track(lane.run().then(() => this.close()));
  }

  #track(work: Promise<void>): void {
    this.#inFlight++;
    void work.finally(() => {
      this.#inFlight--;
      if (this.#inFlight === 0) this.#handler.channelIdle(this);
    });
  }
}
