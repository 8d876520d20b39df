/**
 * JSON values as Python's json.loads sees them: nothing a client wrote is lost on the way to a
 * chat template or a comparison.
 *
 * Contract   integers are `number` while safe and `bigint` beyond; a number written with a fraction
 *            or an exponent is a `JsonFloat` (1.0 is not 1); objects are `Map`s in the order
 *            written, the last duplicate wins at the first one's place; NaN and infinities are
 *            `JsonFloat`s.
 * Not here   parsing and writing: lossless.ts.
 */

/** A number written with a fraction or an exponent, or NaN, Infinity, -Infinity: Python's float. */
export class JsonFloat {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

export type JsonObject = Map<string, JsonValue>;
export type JsonArray = JsonValue[];
export type JsonValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | JsonFloat
  | JsonArray
  | JsonObject;
