/**
 * What a load process counts and measures, in a form that several processes can add up.
 *
 * Contract   plain JSON. A failed request is in `failures` under its kind and in nothing else.
 */

export interface ChatTally {
  /** One entry a reply that came: session, turn, milliseconds from request to last byte. */
  readonly latencies: [sessionIndex: number, turnIndex: number, ms: number][];
  /** Requests that failed, by kind. */
  readonly failures: Record<string, number>;
  /** Turns that were not tried because their session had failed. */
  notAttempted: number;
  /** Bytes of the bodies that the client sent and got. */
  requestBytes: number;
  replyBytes: number;
  /** Sum of the replies' hashes modulo 2^64: the same replies in any order give the same sum. */
  replyHash: string;
}

export interface RecordsTally {
  /** One entry a complete GET: bytes of its body and milliseconds. */
  readonly gets: [bytes: number, ms: number][];
  readonly failures: Record<string, number>;
}

export function emptyChatTally(): ChatTally {
  return {
    latencies: [],
    failures: {},
    notAttempted: 0,
    requestBytes: 0,
    replyBytes: 0,
    replyHash: "0",
  };
}

export function emptyRecordsTally(): RecordsTally {
  return { gets: [], failures: {} };
}

export function countFailure(failures: Record<string, number>, kind: string): void {
  failures[kind] = (failures[kind] ?? 0) + 1;
}

/** @param sum and the result are 64-bit numbers in hexadecimal */
export function addHash(sum: string, hash: bigint): string {
  return BigInt.asUintN(64, BigInt(`0x${sum}`) + hash).toString(16);
}

export function addChatTallies(tallies: readonly ChatTally[]): ChatTally {
  const total = emptyChatTally();
  for (const tally of tallies) {
    total.latencies.push(...tally.latencies);
    addFailures(total.failures, tally.failures);
    total.notAttempted += tally.notAttempted;
    total.requestBytes += tally.requestBytes;
    total.replyBytes += tally.replyBytes;
    total.replyHash = addHash(total.replyHash, BigInt(`0x${tally.replyHash}`));
  }
  return total;
}

export function addFailures(
  total: Record<string, number>,
  failures: Readonly<Record<string, number>>,
): void {
  for (const [kind, count] of Object.entries(failures)) total[kind] = (total[kind] ?? 0) + count;
}
