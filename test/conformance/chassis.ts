/**
 * The ways in which a session server runs; all must answer alike.
 */
import type { Program } from "../harness/server-process.ts";

export interface Chassis {
  readonly name: string;
  readonly program: Program;
  readonly workers: number;
}

export const chassis: readonly Chassis[] = [
  { name: "1 worker", program: "source", workers: 1 },
  { name: "4 workers", program: "source", workers: 4 },
  { name: "executable, 1 worker", program: "executable", workers: 1 },
  { name: "executable, 4 workers", program: "executable", workers: 4 },
];
