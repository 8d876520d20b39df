import { describe, expect, test } from "bun:test";
import { SharedTextWriter, sharedBytesMin } from "../../src/records/shared-text.ts";
import type { StoredText } from "../../src/records/slab.ts";
import { SlabArena } from "../../src/records/slab-arena.ts";
import { SlabWriter } from "../../src/records/slab-writer.ts";
import { randomFrom, seedOf } from "../harness/random.ts";
import { letters } from "./turns.ts";

const bytesOf = ({ extents }: StoredText): string =>
  Buffer.concat(extents.map(({ slab, start, end }) => slab.bytes.subarray(start, end))).toString();

/** Writes a text against a base; what was stored anew is the bytes in no extent of the base. */
function write(text: string, base: StoredText | null, cuts: readonly number[] = []) {
  const shared = new SharedTextWriter(base, new SlabWriter(new SlabArena()));
  const whole = Buffer.from(text);
  let prefixBytes = 0;
  const places = [0, ...cuts, whole.length];
  for (let index = 1; index < places.length; index += 1) {
    prefixBytes += shared.write(whole.subarray(places[index - 1], places[index]));
  }
  const stored = shared.finish();
  const baseSlabs = new Set(base?.extents.map(({ slab }) => slab));
  const newBytes = stored.extents
    .filter(({ slab }) => !baseSlabs.has(slab))
    .reduce((sum, { start, end }) => sum + end - start, 0);
  expect(bytesOf(stored) === text).toBe(true);
  expect(stored.byteLength).toBe(whole.length);
  return { stored, newBytes, prefixBytes };
}

const long = letters(300_000);
const base = write(long, null).stored;

describe("SharedTextWriter", () => {
  test("stores only the tail of a text that continues the base, and vouches for the rest", () => {
    const { stored, newBytes, prefixBytes } = write(`${long}tail`, base);
    expect([newBytes, prefixBytes]).toEqual([4, long.length]);
    // Extents that are shared whole are the same objects.
    expect(stored.extents.slice(0, -1)).toEqual([...base.extents]);
    expect(stored.extents[0]).toBe(base.extents[0] as (typeof base.extents)[number]);
  });

  test("stores nothing of the same text or of its beginning", () => {
    expect(write(long, base).newBytes).toBe(0);
    expect(write(long.slice(0, 1_000), base)).toMatchObject({ newBytes: 0, prefixBytes: 1_000 });
  });

  test("stores a text that differs from the start, and vouches for nothing", () => {
    const other = letters(300_000, 2);
    expect(write(`-${other}`, base)).toMatchObject({ newBytes: 300_001, prefixBytes: 0 });
    expect(write(other, null)).toMatchObject({ newBytes: 300_000, prefixBytes: 0 });
  });

  test("stores about a block around a byte that differs, and vouches up to that byte only", () => {
    const edited = `${long.slice(0, 100_000)}-${long.slice(100_001)}`;
    const { newBytes, prefixBytes } = write(edited, base);
    expect(newBytes).toBeLessThanOrEqual(64 * 1024);
    expect(prefixBytes).toBe(100_000);
  });

  test("copies an equal beginning too short to be shared: the base's slab is not pinned", () => {
    const beginning = long.slice(0, sharedBytesMin - 1);
    const { stored, newBytes } = write(`${beginning}-${letters(500, 3)}`, base);
    expect(newBytes).toBe(stored.byteLength);
  });

  test("shares no crumbs after a difference, however small the pieces arrive", () => {
    const shifted = `-${long.slice(1, 1_000)}`;
    const cuts = Array.from({ length: 998 }, (_, index) => index + 1);
    expect(write(shifted, base, cuts).stored.extents.length).toBe(1);
  });

  test("is right for any texts, cut anywhere", () => {
    const random = randomFrom(seedOf("shared text"));
    let previous = write(letters(1_000), null).stored;
    for (let round = 0; round < 300; round += 1) {
      const text = bytesOf(previous);
      const at = random.integer(0, text.length);
      const edited = random.pick([
        text + letters(random.integer(0, 3_000), round),
        text.slice(0, at),
        `${text.slice(0, at)}-${text.slice(at + 1)}`,
        `${text.slice(0, at)}${letters(random.integer(0, 200_000), round)}`,
        letters(random.integer(0, 500), round),
      ]);
      const cuts = Array.from({ length: random.integer(0, 20) }, () =>
        random.integer(0, edited.length),
      ).sort((one, other) => one - other);
      previous = write(edited, previous, cuts).stored;
    }
  });
});
