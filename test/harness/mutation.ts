/**
 * Broken input made from good input: seeded, so that a case can be had again.
 */
import type { Random } from "./random.ts";

/** One to four small changes of `bytes`: bits, bytes, runs, pieces from a dictionary. */
export function mutated(
  random: Random,
  bytes: Uint8Array,
  dictionary: readonly string[] = [],
): Uint8Array {
  let result = Buffer.from(bytes);
  for (let count = random.pick([1, 1, 1, 2, 4]); count > 0; count--) {
    result = mutatedOnce(random, result, dictionary);
  }
  return result;
}

function mutatedOnce(
  random: Random,
  bytes: Buffer,
  dictionary: readonly string[],
): Buffer<ArrayBuffer> {
  const at = random.integer(0, bytes.length);
  const end = Math.min(bytes.length, at + random.integer(0, random.pick([1, 8, bytes.length])));
  const before = bytes.subarray(0, at);
  switch (random.integer(0, dictionary.length > 0 ? 6 : 4)) {
    case 0: {
      const flipped = Buffer.from(bytes);
      if (at < bytes.length) flipped[at] = (flipped[at] ?? 0) ^ (1 << random.integer(0, 7));
      return flipped;
    }
    case 1:
      return Buffer.concat([before, Buffer.from([random.integer(0, 255)]), bytes.subarray(at)]);
    case 2:
      return Buffer.concat([before, bytes.subarray(end)]);
    case 3:
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]);
    case 4:
      return Buffer.from(before);
    default:
      return Buffer.concat([before, Buffer.from(random.pick(dictionary)), bytes.subarray(end)]);
  }
}

/** A JSON value as text, also such as JSON.parse refuses or changes. */
export function randomJson(random: Random, depth = 0): string {
  const leaf = depth > 3 || random.chance(0.5);
  if (leaf) return random.pick(oddValues);
  const items = Array.from({ length: random.integer(0, 4) }, () => randomJson(random, depth + 1));
  if (random.chance(0.4)) return `[${items.join(",")}]`;
  return `{${items.map((item) => `${random.pick(oddNames)}:${item}`).join(",")}}`;
}

const oddValues = [
  ...["null", "true", "false", "0", "-0", "1.0", "1e400", "-1", "12345678901234567890", "NaN"],
  ...['""', '"a"', '"user"', '"assistant"', '"tool"', '"system"', '"\\ud800"', '"\\u0000"', '"你"'],
  ...['"{% for x in y %}"', '"{{ a.b.c }}"', '"<|im_end|>"', '"<tool_call>"', '"function"'],
  ...['"../../etc/passwd"', '"__proto__"', "[]", "{}", "[[[[[[]]]]]]", "Infinity", "tru", "'a'"],
];

const oddNames = [
  ...['"role"', '"content"', '"tool_calls"', '"function"', '"name"', '"arguments"', '"type"'],
  ...['"id"', '"tool_call_id"', '"reasoning_content"', '"__proto__"', '"constructor"', '""', '"a"'],
  ...['"text"', '"image_url"', '"parameters"', '"properties"', '"0"', '"toString"'],
];
