// spec: docs/ipc-protocol.md, "Channels"
/**
 * The asking end of a channel: many requests at once over one connection.
 *
 * Contract   replies are matched by request id, in whatever order they come. When the channel goes
 *            down every pending request is rejected, and every later one.
 * Reports    WorkerUnavailableError channel down; HandlerFailedError the peer's handler raised;
 *            FrameTooLargeError this request alone was not sent.
 * Limits     no timeout: a slow model is not a dead worker.
 */
import { errorText, WorkerUnavailableError } from "../errors.ts";
import type { ByteStream, ByteStreamHandlers } from "./byte-stream.ts";
import { ByteWriter } from "./byte-writer.ts";
import { joined } from "./envelope.ts";
import { type Frame, FrameError, frameTypes } from "./frame.ts";
import { FrameReader } from "./frame-reader.ts";
import { FrameWriter } from "./frame-writer.ts";

/** The peer's handler raised; the message is what it said. */
export class HandlerFailedError extends Error {
  override readonly name = "HandlerFailedError";
}

type Payload = readonly Uint8Array[];

export class ChannelClient implements ByteStreamHandlers {
  readonly #stream: ByteStream;
  readonly #writer: ByteWriter;
  readonly #frames: FrameWriter;
  readonly #reader = new FrameReader();
  readonly #pending = new Map<number, PromiseWithResolvers<Payload>>();
  readonly #down = Promise.withResolvers<string>();
  #nextRequestId = 1;
  /** Why nothing can be asked any more; null while the channel is up. */
  #downReason: string | null = null;

  constructor(stream: ByteStream) {
    this.#stream = stream;
    this.#writer = new ByteWriter(stream);
    this.#frames = new FrameWriter(this.#writer);
  }

  get up(): boolean {
    return this.#downReason === null;
  }

  /** Resolves to the reason when the channel goes down. */
  get down(): Promise<string> {
    return this.#down.promise;
  }

  /** Resolves to the payload of the peer's reply. */
  async request(payload: Payload): Promise<Payload> {
    if (this.#downReason !== null) throw new WorkerUnavailableError(this.#downReason);
    const requestId = this.#nextRequestId++;
    this.#frames.send(requestId, frameTypes.request, payload);
    const reply = Promise.withResolvers<Payload>();
    this.#pending.set(requestId, reply);
    return reply.promise;
  }

  close(): void {
    this.#goDown("the channel was closed");
  }

  received(chunk: Uint8Array): void {
    if (this.#downReason !== null) return;
    try {
      for (const frame of this.#reader.push(chunk)) this.#settle(frame);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.#goDown(`the channel carried garbage: ${error.message}`);
    }
  }

  drained(): void {
    this.#writer.drained();
  }

  closed(error: Error | null): void {
    this.#goDown(`the channel is closed${error === null ? "" : `: ${errorText(error)}`}`);
  }

  #settle(frame: Frame): void {
    if (frame.type !== frameTypes.reply && frame.type !== frameTypes.error) {
      throw new FrameError(`a reply of type ${frame.type}`);
    }
    if (frame.requestId === 0 || frame.requestId >= this.#nextRequestId) {
      throw new FrameError(`a reply to request ${frame.requestId}, which was never made`);
    }
    const reply = this.#pending.get(frame.requestId);
    // A second reply to the same request is nobody's.
    if (reply === undefined) return;
    this.#pending.delete(frame.requestId);
    if (frame.type === frameTypes.reply) reply.resolve(frame.payload);
    else reply.reject(new HandlerFailedError(new TextDecoder().decode(joined(frame.payload))));
  }

  #goDown(reason: string): void {
    if (this.#downReason !== null) return;
    this.#downReason = reason;
    this.#writer.close();
    this.#stream.close();
    for (const reply of this.#pending.values()) reply.reject(new WorkerUnavailableError(reason));
    this.#pending.clear();
    this.#down.resolve(reason);
  }
}
