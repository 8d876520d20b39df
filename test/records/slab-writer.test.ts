import { describe, expect, test } from "bun:test";
import { TextBuilder } from "../../src/records/slab.ts";
import { SlabArena } from "../../src/records/slab-arena.ts";
import { SlabWriter } from "../../src/records/slab-writer.ts";
import { letters } from "./turns.ts";

const bytes = (builder: TextBuilder): string =>
  Buffer.concat(
    builder.finish().extents.map(({ slab, start, end }) => slab.bytes.subarray(start, end)),
  ).toString();

describe("SlabWriter", () => {
  test("copies bytes of any length over as many slabs as it takes", () => {
    const writer = new SlabWriter(new SlabArena());
    const text = new TextBuilder();
    const sent = [letters(3_000), letters(10), letters(2_000_000), letters(9_000_000), "end"];
    for (const piece of sent) writer.write(Buffer.from(piece), text);
    expect(bytes(text) === sent.join("")).toBe(true);
  });

  test("discard() leaves the arena as it was", () => {
    const arena = new SlabArena();
    const kept = new SlabWriter(arena);
    const text = new TextBuilder();
    kept.write(Buffer.from("kept"), text);
    const slab = text.finish().extents[0]?.slab;
    if (slab === undefined) throw new Error("nothing was written");
    arena.retain(slab);
    kept.commit();
    const before = [arena.retainedBytes, slab.used];
    const dropped = new SlabWriter(arena);
    dropped.write(Buffer.from(letters(100_000)), new TextBuilder());
    expect(arena.retainedBytes).toBeGreaterThan(100_000);
    dropped.discard();
    expect([arena.retainedBytes, slab.used]).toEqual(before);
    expect(bytes(text)).toBe("kept");
  });

  test("commit() frees what no record took", () => {
    const arena = new SlabArena();
    const writer = new SlabWriter(arena);
    writer.write(Buffer.from("x"), new TextBuilder());
    writer.commit();
    expect(arena.retainedBytes).toBe(0);
  });
});
