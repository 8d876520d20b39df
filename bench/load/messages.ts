/**
 * What the harness tells a load process, and what it hears back, over the process's IPC channel.
 */
import type { DirectReceiving, DirectTally } from "./direct.ts";
import type { RecordsReading } from "./records-reader.ts";
import type { ChatTally, RecordsTally } from "./tally.ts";

export type LoadCommand =
  /** Create the sessions; answered by `created`. */
  | {
      readonly kind: "create";
      readonly url: string;
      readonly sessionIndices: readonly number[];
    }
  /** Chat in the created sessions, the first turns of each; answered by `chatted`. */
  | { readonly kind: "chat"; readonly turns: number }
  /** The same one chat at a time, turn by turn (in-step.ts); answered by `chatted`. */
  | {
      readonly kind: "chatInStep";
      readonly turns: number;
      readonly serverPids: readonly number[];
    }
  /** Delete the created sessions; answered by `deleted`. */
  | { readonly kind: "delete" }
  /** Read records; answered by `read`, when repeating after `stop`. */
  | { readonly kind: "records"; readonly reading: RecordsReading }
  | { readonly kind: "stop" }
  /** Receive from the engine and drop; answered by `received`. */
  | ({ readonly kind: "direct" } & DirectReceiving);

export type LoadReport =
  | { readonly kind: "ready" }
  | { readonly kind: "created"; readonly sessionIds: readonly string[] }
  /** Turns done since the last report of progress. */
  | { readonly kind: "progress"; readonly turns: number }
  /** Processor time of a chat at each turn, of chats in step. */
  | {
      readonly kind: "chatted";
      readonly tally: ChatTally;
      readonly cpuNsByTurn: readonly number[];
    }
  | { readonly kind: "deleted"; readonly failures: Readonly<Record<string, number>> }
  | { readonly kind: "read"; readonly tally: RecordsTally }
  | { readonly kind: "received"; readonly tally: DirectTally }
  | { readonly kind: "failed"; readonly message: string };
