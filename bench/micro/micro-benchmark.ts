/**
 * A part of the server, alone, on bytes that are made beforehand.
 */

export interface MicroBenchmark {
  readonly name: string;
  /** What one operation is. */
  readonly operation: string;
  /** Makes what an operation needs; nothing of it is measured. */
  prepare(size: MicroSize): PreparedBenchmark | Promise<PreparedBenchmark>;
}

/** smoke: small enough for every test run. */
export type MicroSize = "smoke" | "full";

export interface PreparedBenchmark {
  /** Bytes that one operation goes through; null where that says nothing. */
  readonly bytes: number | null;
  /** One operation; throws when its outcome is not what it must be. */
  run(): void | Promise<void>;
}
