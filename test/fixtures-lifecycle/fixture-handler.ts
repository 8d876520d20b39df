/**
 * A handler with the behaviours that transport and process life are tested with, chosen by the path
 * of a `proxy` operation. Every other operation is answered by what it was.
 */
import { writeFileSync } from "node:fs";
import {
  jsonReply,
  type Operation,
  type OperationHandler,
  type Reply,
} from "../../src/operation.ts";
import { patternChunks } from "./pattern.ts";

export interface FixtureState {
  /** Streams that were read to their end or released. */
  released: number;
  /** Sleeps that have begun. */
  asleep: number;
  /** Sleeps that ran to their end. */
  slept: number;
  /** Of those that sleep until then. */
  readonly woken: PromiseWithResolvers<void>;
}

export function createFixtureHandler(
  workerIndex: number,
  state: FixtureState = { released: 0, asleep: 0, slept: 0, woken: Promise.withResolvers() },
) {
  const handler: OperationHandler & { state: FixtureState } = {
    state,
    async handle(operation, body) {
      return answer(operation, body, workerIndex, state);
    },
  };
  return handler;
}

async function answer(
  operation: Operation,
  body: Uint8Array,
  workerIndex: number,
  state: FixtureState,
): Promise<Reply> {
  if (operation.kind !== "proxy") {
    return jsonReply(200, { workerIndex, pid: process.pid, operation, text: body.toString() });
  }
  const [behaviour, argument] = operation.path.split("/");
  switch (behaviour) {
    case "echo":
      return bytesReply(body);
    case "stream":
      return streamReply(Number(argument), state);
    case "state":
      return jsonReply(200, {
        released: state.released,
        asleep: state.asleep,
        slept: state.slept,
      });
    case "sleep":
      state.asleep++;
      await Bun.sleep(Number(argument));
      state.slept++;
      return jsonReply(200, { slept: Number(argument) });
    case "sleep-until-woken":
      state.asleep++;
      await state.woken.promise;
      state.slept++;
      return jsonReply(200, {});
    case "wake":
      state.woken.resolve();
      return jsonReply(200, {});
    case "raise":
      throw new Error(`raised ${argument}`);
    case "busy":
      // Tells so by making the file that the body names; sees no event from then on.
      writeFileSync(new TextDecoder().decode(body), "");
      for (;;);
    case "exit":
      process.stderr.write("out of luck\n");
      return process.exit(Number(argument));
    default:
      return jsonReply(404, { error: behaviour });
  }
}

function bytesReply(body: Uint8Array): Reply {
  return { status: 200, headers: [["content-type", "application/octet-stream"]], body };
}

function streamReply(byteLength: number, state: FixtureState): Reply {
  async function* chunks() {
    try {
      yield* patternChunks(byteLength);
    } finally {
      state.released++;
    }
  }
  return {
    status: 200,
    headers: [["content-type", "application/octet-stream"]],
    body: { byteLength: null, chunks: chunks() },
  };
}
