/**
 * What filters and tests may ask of the environment they run in.
 */
import type { Keywords, Value } from "./values.ts";

export type Filter = (
  value: Value,
  args: Value[],
  keywords: Keywords,
  environment: Environment,
) => Value;

export type Test = (
  value: Value,
  args: Value[],
  keywords: Keywords,
  environment: Environment,
) => boolean;

export interface Environment {
  readonly filters: ReadonlyMap<string, Filter>;
  readonly tests: ReadonlyMap<string, Test>;
  /** Counts one step of an iterator; throws when a render takes too many. */
  countIteration(): void;
}
