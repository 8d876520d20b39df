import { describe, expect, test } from "bun:test";
import { SlabArena, slabBytesMax, slabBytesMin } from "../../src/records/slab-arena.ts";

describe("SlabArena", () => {
  test("hands a slab's free end to one writer at a time", () => {
    const arena = new SlabArena();
    const first = arena.claim(100);
    const second = arena.claim(100);
    expect(second).not.toBe(first);
    arena.retain(first);
    arena.unclaim(first, 100);
    expect(arena.claim(5_000)).toBe(first);
    expect(arena.claim(5_000)).not.toBe(first);
  });

  test("goes on in the fullest slab", () => {
    const arena = new SlabArena();
    const slabs = [arena.claim(1), arena.claim(1), arena.claim(1)];
    for (const [index, slab] of slabs.entries()) {
      arena.retain(slab);
      slab.used = [300, 900, 200][index] as number;
      arena.unclaim(slab, slab.used);
    }
    expect(arena.claim(1)).toBe(slabs[1] as (typeof slabs)[number]);
  });

  test("frees a slab at once when neither record nor writer needs it", () => {
    const arena = new SlabArena();
    const slab = arena.claim(10_000);
    expect(arena.retainedBytes).toBe(slab.capacity);
    arena.retain(slab);
    arena.release(slab);
    expect(slab.bytes.length).toBe(slab.capacity);
    arena.unclaim(slab, 10);
    expect([slab.bytes.length, arena.retainedBytes]).toEqual([0, 0]);
  });

  test("keeps the bytes of streams apart, and grows slabs with what it holds of each", () => {
    const arena = new SlabArena();
    const plain = arena.claim(1);
    const large = arena.claim(1_000_000, "a");
    expect(arena.claim(1, "a").capacity).toBeGreaterThanOrEqual(500_000);
    expect(arena.claim(1, "b").capacity).toBe(slabBytesMin);
    for (const slab of [plain, large]) {
      arena.retain(slab);
      arena.unclaim(slab, 1);
    }
    expect(arena.claim(1, "a")).toBe(large);
    expect(arena.claim(1)).toBe(plain);
  });

  test("grows slabs with what it holds, between the smallest and the limit", () => {
    const arena = new SlabArena();
    expect(arena.claim(1).capacity).toBe(slabBytesMin);
    expect(arena.claim(100_000).capacity).toBe(Math.ceil(100_000 / slabBytesMin) * slabBytesMin);
    expect(arena.claim(1).capacity).toBeGreaterThanOrEqual(50_000);
    expect(arena.claim(slabBytesMax * 3).capacity).toBe(slabBytesMax);
    let capacities = 0;
    for (let count = 0; count < 30; count += 1) {
      const before = arena.retainedBytes;
      capacities = arena.claim(1).capacity;
      expect(capacities).toBeLessThanOrEqual(Math.max(slabBytesMin, before / 2 + slabBytesMin));
    }
    expect(capacities).toBe(slabBytesMax);
  });

  test("rewind() opens a full slab again, but never below what a dump handed out", () => {
    const arena = new SlabArena();
    const slab = arena.claim(1);
    arena.retain(slab);
    slab.used = slab.capacity;
    arena.unclaim(slab, slab.capacity);
    slab.handedOut = 300;
    arena.rewind(slab, 100);
    expect(slab.used).toBe(300);
    expect(arena.claim(1)).toBe(slab);
  });
});
