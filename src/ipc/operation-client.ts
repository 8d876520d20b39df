// spec: docs/ipc-protocol.md, "Messages"
/**
 * Asks one worker to carry operations out: small ones over a shared channel, a large request over a
 * channel of its own, large replies over lanes.
 *
 * Contract   `ask` resolves to the reply with its body of the kind the handler returned. A streamed
 *            body's lane is open when `ask` resolves; who gets it must read it or call return().
 * Reports    WorkerUnavailableError channel down, HandlerFailedError handler raised,
 *            MalformedReplyError a reply that is none.
 */
import { errorText, WorkerUnavailableError } from "../errors.ts";
import { inlineReplyBytesMax } from "../limits.ts";
import type { Operation, Reply } from "../operation.ts";
import { streamOf } from "../stream-body.ts";
import { ChannelClient } from "./channel-client.ts";
import { joined } from "./envelope.ts";
import { LaneReceiver } from "./lane-receiver.ts";
import { decodeReply, encodeRequest, type ReplyMeta } from "./operation-message.ts";
import { connectUnixSocket } from "./unix-socket.ts";

/** A worker answered something that is no reply: a bug of ours, told to this client alone. */
export class MalformedReplyError extends Error {
  override readonly name = "MalformedReplyError";
}

export class OperationClient {
  readonly #socketPath: string;
  readonly #shared: ChannelClient;

  private constructor(socketPath: string, shared: ChannelClient) {
    this.#socketPath = socketPath;
    this.#shared = shared;
  }

  /** Connects to a worker that listens already; rejects with the system's error. */
  static async connect(socketPath: string): Promise<OperationClient> {
    return new OperationClient(socketPath, await openChannel(socketPath));
  }

  get up(): boolean {
    return this.#shared.up;
  }

  /** Resolves to the reason when the shared channel goes down: the worker is lost. */
  get down(): Promise<string> {
    return this.#shared.down;
  }

  async ask(operation: Operation, body: Uint8Array): Promise<Reply> {
    const payload = encodeRequest(operation, body);
    if (body.byteLength <= inlineReplyBytesMax) {
      return this.#readReply(await this.#shared.request(payload));
    }
    // Frames leave whole: on the shared channel everybody would wait for this one.
    const own = await available(openChannel(this.#socketPath));
    let claimed: Promise<void> | null = null;
    try {
      return await this.#readReply(await own.request(payload), (lane) => {
        claimed = lane.claimed;
      });
    } finally {
      // The worker takes back what a closed channel announced: the lane must be claimed by then.
      if (claimed === null) own.close();
      else void (claimed as Promise<void>).then(() => own.close());
    }
  }

  close(): void {
    this.#shared.close();
  }

  async #readReply(
    payload: readonly Uint8Array[],
    opened: (lane: LaneReceiver) => void = () => {},
  ): Promise<Reply> {
    const { meta, body } = decode(payload);
    const { status, headers, byteLength } = meta;
    if (meta.lane === null) {
      const bytes = joined(body);
      if (meta.body === "bytes") return { status, headers, body: bytes };
      return { status, headers, body: streamOf(bytes) };
    }
    const token = meta.lane;
    const lane = await available(
      connectUnixSocket(this.#socketPath, (stream) => new LaneReceiver(stream, token)),
    );
    opened(lane);
    if (meta.body === "stream") return { status, headers, body: { byteLength, chunks: lane } };
    return { status, headers, body: await readWhole(lane, byteLength ?? 0) };
  }
}

function openChannel(socketPath: string): Promise<ChannelClient> {
  return connectUnixSocket(socketPath, (stream) => new ChannelClient(stream));
}

function decode(payload: readonly Uint8Array[]): {
  meta: ReplyMeta;
  body: readonly Uint8Array[];
} {
  try {
    return decodeReply(payload);
  } catch (error) {
    throw new MalformedReplyError(errorText(error), { cause: error });
  }
}

async function available<Opened>(opening: Promise<Opened>): Promise<Opened> {
  try {
    return await opening;
  } catch (error) {
    throw new WorkerUnavailableError(errorText(error), { cause: error });
  }
}

/** A body that was bytes at its origin is bytes here: both chassis answer it alike. */
async function readWhole(lane: LaneReceiver, byteLength: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(byteLength);
  let offset = 0;
  try {
    for await (const slice of lane) {
      bytes.set(slice, offset);
      offset += slice.byteLength;
    }
  } catch (error) {
    if (error instanceof RangeError) {
      throw new MalformedReplyError("a body is longer than announced", { cause: error });
    }
    throw new WorkerUnavailableError(errorText(error), { cause: error });
  }
  if (offset !== byteLength) {
    throw new MalformedReplyError(`a body of ${byteLength} bytes had ${offset}`);
  }
  return bytes;
}
