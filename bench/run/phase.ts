/**
 * One phase of a round: chats, full-records GETs, or both at the same time, and what they cost.
 */
import type { Chatted, LoadGroup } from "../load/load-group.ts";
import type { RecordsReading } from "../load/records-reader.ts";
import type { RecordsTally } from "../load/tally.ts";
import type { GroupMeter } from "../process/group-meter.ts";
import type { ChatResult, PhaseResult, RecordsResult } from "../result/round-result.ts";
import { histogram, latencyStatistics, median, round } from "../result/statistics.ts";
import type { ReplyText } from "../workload/reply-text.ts";

export interface PhasePlan {
  readonly name: string;
  /** Chats in the sessions that the chatting processes have created. */
  readonly chats: {
    readonly by: LoadGroup;
    readonly turns: number;
    /** The server's processes when sessions advance together (in-step.ts); null: each its way. */
    readonly inStepWith: readonly number[] | null;
  } | null;
  /** GETs by a process of their own; they go on until the chats are done. */
  readonly reads: { readonly by: LoadGroup; readonly reading: RecordsReading } | null;
}

export async function runPhase(
  plan: PhasePlan,
  meter: GroupMeter | null,
  replies: readonly Pick<ReplyText, "byteLength">[],
  onProgress: (turns: number) => void,
): Promise<PhaseResult> {
  meter?.reset();
  const startedAtMs = Date.now();
  const startedAt = performance.now();
  const reading = plan.reads?.by.readRecords(plan.reads.reading);
  const chatting = startChats(plan, onProgress)?.then((chatted) => {
    const seconds = (performance.now() - startedAt) / 1000;
    if (plan.reads?.reading.repeats === true) plan.reads.by.stopReading();
    return { ...chatted, seconds };
  });
  const [chatted, read] = await Promise.all([chatting, reading]);
  const wallSeconds = (performance.now() - startedAt) / 1000;
  const use = meter?.use() ?? null;
  return {
    name: plan.name,
    startedAtMs,
    wallSeconds: round(wallSeconds),
    chat: chatted === undefined ? null : chatResult(chatted, replies),
    records:
      read === undefined || plan.reads === null
        ? null
        : recordsResult(read, plan.reads.reading.concurrency, wallSeconds),
    use,
  };
}

function startChats(
  { chats }: PhasePlan,
  onProgress: (turns: number) => void,
): Promise<Chatted> | undefined {
  if (chats === null) return undefined;
  const { by, turns, inStepWith } = chats;
  if (inStepWith === null) return by.chat(turns, onProgress);
  return by.chatInStep(turns, inStepWith, onProgress);
}

function chatResult(
  { tally, cpuNsByTurn, seconds }: Chatted & { readonly seconds: number },
  replies: readonly Pick<ReplyText, "byteLength">[],
): ChatResult {
  const byTurn = replies.map((): number[] => []);
  let ingestBytes = 0;
  for (const [, turnIndex, ms] of tally.latencies) {
    byTurn[turnIndex]?.push(ms);
    ingestBytes += replies[turnIndex]?.byteLength ?? 0;
  }
  const latencies = tally.latencies.map(([, , ms]) => ms);
  const statistics = latencyStatistics(latencies);
  return {
    count: statistics.count,
    meanMs: round(statistics.meanMs),
    p50Ms: round(statistics.p50Ms),
    p95Ms: round(statistics.p95Ms),
    p99Ms: round(statistics.p99Ms),
    maxMs: round(statistics.maxMs),
    turnsPerSecond: round(latencies.length / seconds),
    ingestBytesPerSecond: Math.round(ingestBytes / seconds),
    requestBytes: tally.requestBytes,
    replyBytes: tally.replyBytes,
    histogram: histogram(latencies),
    medianMsByTurn: byTurn
      .filter((values) => values.length > 0)
      .map((values) => round(median(values))),
    cpuMsByTurn: cpuNsByTurn.some(Number.isNaN) ? [] : cpuNsByTurn.map((ns) => round(ns / 1e6)),
    failures: tally.failures,
    notAttempted: tally.notAttempted,
    replyHash: tally.replyHash.padStart(16, "0"),
  };
}

function recordsResult(
  tally: RecordsTally,
  concurrency: number,
  wallSeconds: number,
): RecordsResult {
  const bytes = tally.gets.reduce((sum, [length]) => sum + length, 0);
  const times = tally.gets.map(([, ms]) => ms);
  return {
    concurrency,
    count: tally.gets.length,
    bytes,
    bytesPerSecond: Math.round(bytes / wallSeconds),
    medianMs: round(median(times)),
    maxMs: round(Math.max(0, ...times)),
    failures: tally.failures,
  };
}
