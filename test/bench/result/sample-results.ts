/**
 * Results as runs leave them, for tests of what is made of them.
 */
import type {
  ChatResult,
  Limits,
  PhaseResult,
  RecordsResult,
  RoundResult,
} from "../../../bench/result/round-result.ts";
import { findShape, type Shape } from "../../../bench/workload/shape.ts";

export function sampleChat(turnsPerSecond: number, turns = 50): ChatResult {
  return {
    count: 8 * turns,
    meanMs: 10,
    p50Ms: 8,
    p95Ms: 20,
    p99Ms: 30,
    maxMs: 40,
    turnsPerSecond,
    ingestBytesPerSecond: 1024 ** 3,
    requestBytes: 1000,
    replyBytes: 2000,
    histogram: [
      [5, 100],
      [10, 250],
      [40, 50],
    ],
    medianMsByTurn: Array.from({ length: turns }, (_, index) => 5 + index / 10),
    cpuMsByTurn: [],
    failures: {},
    notAttempted: 0,
    replyHash: "00000000000000ff",
  };
}

export function samplePhase(name: string, chat: ChatResult | null): PhaseResult {
  return {
    name,
    startedAtMs: 1_785_585_600_000,
    wallSeconds: 4,
    chat,
    records: null,
    use: {
      cpuSeconds: 2,
      peakPssBytes: 512 * 1024 ** 2,
      peakResidentBytes: 600 * 1024 ** 2,
      processes: [{ name: "router", cpuSeconds: 1, peakPssBytes: 32 * 1024 ** 2 }],
    },
  };
}

export const sampleRecords: RecordsResult = {
  concurrency: 2,
  count: 4,
  bytes: 8 * 1024 ** 3,
  bytesPerSecond: 1024 ** 3,
  medianMs: 2_000,
  maxMs: 3_000,
  failures: {},
};

export const sampleLimits: Limits = {
  socket: { turnsPerSecond: 1_000, bytesPerSecond: 4 * 1024 ** 3, cpuMsPerTurn: 1.5 },
  fetch: { turnsPerSecond: 900, bytesPerSecond: 2 * 1024 ** 3, cpuMsPerTurn: 2.5 },
};

export function sampleRound(changes: Partial<RoundResult> = {}): RoundResult {
  return {
    version: 2,
    run: "20260801120000-records-8",
    startedAt: "2026-08-01T12:00:00.000Z",
    shape: findShape("records") as Shape,
    workload: {
      seed: 1,
      requestsHash: "0000000000000001",
      repliesHash: "0000000000000002",
      requestBytes: 1_000_000,
      replyBytes: 2_000_000,
      lastReplyBytes: 100_000,
      payloadCharacters: 1_500_000,
      tokens: 6_000,
    },
    target: "bun:2",
    workers: 2,
    serverFlags: [],
    round: 0,
    position: 0,
    machine: {
      cpu: "A <fast> CPU",
      cores: 2,
      memoryBytes: 24 * 1024 ** 3,
      kernel: "6.1",
      bun: "1.4.5",
      commit: "abcdef",
      busyCoresBefore: 0.1,
    },
    limits: sampleLimits,
    limitsBefore: sampleLimits,
    limitsAfter: sampleLimits,
    advance: "freely",
    warmUp: [],
    phases: [samplePhase("chats", sampleChat(100))],
    memory: [
      [0, 100_000_000],
      [1, 400_000_000],
    ],
    harness: { engineCpuSeconds: 0.5, loadCpuSeconds: 0.25 },
    others: { wallSeconds: 4, cpuSeconds: 0.1, stolenSeconds: 0 },
    doubts: [],
    serverEnd: null,
    ...changes,
  };
}
