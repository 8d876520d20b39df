/**
 * What the harness tells a load process, and what it hears back, over the process's IPC channel.
 */
import type { DirectTally, ReceivingWay } from "./direct.ts";
import type { RecordsReading } from "./records-reader.ts";
import type { ChatTally, RecordsTally } from "./tally.ts";

export type LoadCommand =
  /** Create the sessions; answered by `created`. */
  | {
      readonly kind: "create";
      readonly url: string;
      readonly sessionIndices: readonly number[];
    }
  /** Chat in the created sessions, all turns; answered by `chatted`. */
  | { readonly kind: "chat" }
  /** Read records; answered by `read`, when repeating after `stop`. */
  | { readonly kind: "records"; readonly reading: RecordsReading }
  | { readonly kind: "stop" }
  /** Receive from the engine and drop; answered by `received`. */
  | { readonly kind: "direct"; readonly engineUrl: string; readonly way: ReceivingWay };

export type LoadReport =
  | { readonly kind: "ready" }
  | { readonly kind: "created"; readonly sessionIds: readonly string[] }
  /** Turns done since the last report of progress. */
  | { readonly kind: "progress"; readonly turns: number }
  | { readonly kind: "chatted"; readonly tally: ChatTally }
  | { readonly kind: "read"; readonly tally: RecordsTally }
  | { readonly kind: "received"; readonly tally: DirectTally }
  | { readonly kind: "failed"; readonly message: string };
