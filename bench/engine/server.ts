/**
 * The bench engine: answers chat completions with the mock engine's bytes, made before the run.
 *
 * Contract   POST /v1/chat/completions with the turn header is answered with that turn's reply,
 *            after the model's thinking time; the body is received and dropped. GET /health is 200.
 *            Several engines share a port. Anything else is 400 with a sentence.
 * Limits     one request at a time on a connection; requests with Content-Length or chunked.
 * Why so     an engine must never be the bottleneck: what a request costs here is two system calls
 *            and the copy of its bytes into the kernel.
 */
import type { Socket } from "bun";
import { HttpMessageReader, HttpSyntaxError, type MessageHead } from "../wire/message-reader.ts";
import { SliceWriter } from "../wire/slice-writer.ts";
import { replyBody } from "../workload/reply-text.ts";
import type { Workload } from "../workload/workload.ts";
import { hasteHeaderName, parseTurnHeader, turnHeaderName } from "./turn-header.ts";

export interface EngineServer {
  readonly port: number;
  stop(): void;
}

export function startEngineServer(workload: Workload, port: number): EngineServer {
  const open = (socket: Socket<EngineConnection>): void => {
    socket.data = new EngineConnection(socket, workload);
  };
  // In a variable, because the type of this call does not know reusePort.
  const options = {
    hostname: "127.0.0.1",
    port,
    reusePort: true,
    socket: {
      open,
      data: (socket: Socket<EngineConnection>, chunk: Buffer) => socket.data.receive(chunk),
      drain: (socket: Socket<EngineConnection>) => socket.data.writer.drained(),
      close: (socket: Socket<EngineConnection>) => socket.data.writer.closed(),
      error: (socket: Socket<EngineConnection>) => socket.data.writer.closed(),
    },
  };
  const listener = Bun.listen<EngineConnection>(options);
  return { port: listener.port, stop: () => listener.stop(true) };
}

interface PreparedReply {
  readonly status: string;
  readonly body: readonly Uint8Array[];
  readonly delayMs: number;
}

class EngineConnection {
  readonly writer: SliceWriter<EngineConnection>;
  readonly #socket: Socket<EngineConnection>;
  readonly #workload: Workload;
  readonly #reader: HttpMessageReader;
  #head: MessageHead | null = null;

  constructor(socket: Socket<EngineConnection>, workload: Workload) {
    this.#socket = socket;
    this.#workload = workload;
    this.writer = new SliceWriter(socket);
    this.#reader = new HttpMessageReader({
      head: (head) => {
        this.#head = head;
      },
      body: () => {},
      end: () => void this.#answer(),
    });
  }

  receive(chunk: Uint8Array): void {
    try {
      this.#reader.push(chunk);
    } catch (error) {
      if (!(error instanceof HttpSyntaxError)) throw error;
      this.#socket.terminate();
    }
  }

  async #answer(): Promise<void> {
    const head = this.#head;
    if (head === null) return;
    const { status, body, delayMs } = this.#replyTo(head);
    if (delayMs > 0) await Bun.sleep(delayMs);
    const closes = head.header("connection")?.toLowerCase() === "close";
    const byteLength = body.reduce((sum, slice) => sum + slice.length, 0);
    const replyHead =
      `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n` +
      `content-length: ${byteLength}\r\n${closes ? "connection: close\r\n" : ""}\r\n`;
    const isWritten = await this.writer.write([Buffer.from(replyHead, "latin1"), ...body]);
    // Half a close: what was written is still delivered.
    if (isWritten && closes) this.#socket.shutdown();
  }

  #replyTo(head: MessageHead): PreparedReply {
    const { shape, replies, replayText } = this.#workload;
    if (head.startLine.startsWith("GET /health ")) {
      return { status: "200 OK", body: [Buffer.from("{}")], delayMs: 0 };
    }
    if (!/^POST \/v1\/chat\/completions[ ?]/.test(head.startLine)) {
      return badRequest(`the bench engine only answers chat completions, not ${head.startLine}`);
    }
    const turn = parseTurnHeader(head.header(turnHeaderName));
    const reply = turn === null ? undefined : replies[turn.turnIndex];
    if (turn === null || reply === undefined || turn.sessionIndex >= shape.sessions) {
      return badRequest(
        `the header ${turnHeaderName} must be <session>/<turn> within the shape; ` +
          "a server under test must pass it on",
      );
    }
    const body = replyBody(reply, replayText, turn.sessionIndex);
    const delayMs = head.header(hasteHeaderName) === null ? shape.thinkMs : 0;
    return { status: "200 OK", body, delayMs };
  }
}

function badRequest(message: string): PreparedReply {
  const body = JSON.stringify({ object: "error", message, code: 400 });
  return { status: "400 Bad Request", body: [Buffer.from(body)], delayMs: 0 };
}
