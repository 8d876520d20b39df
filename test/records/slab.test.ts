import { describe, expect, test } from "bun:test";
import { Slab, TextBuilder } from "../../src/records/slab.ts";

describe("Slab", () => {
  test("free() gives the memory back at once", () => {
    const slab = new Slab(8192);
    expect([slab.bytes.length, slab.capacity]).toEqual([8192, 8192]);
    slab.free();
    expect([slab.bytes.length, slab.bytes.buffer.byteLength]).toEqual([0, 0]);
  });

  test("owns its memory: freeing one leaves another alone", () => {
    const one = new Slab(4096);
    const other = new Slab(4096);
    expect(one.bytes.buffer).not.toBe(other.bytes.buffer);
    one.free();
    expect(other.bytes.length).toBe(4096);
  });
});

describe("TextBuilder", () => {
  const slab = new Slab(4096);

  test("makes one extent of neighbours, and keeps the others apart", () => {
    const builder = new TextBuilder();
    builder.add({ slab, start: 0, end: 10 });
    builder.add({ slab, start: 10, end: 12 });
    builder.add({ slab, start: 20, end: 21 });
    builder.add({ slab: new Slab(4096), start: 21, end: 22 });
    const { extents, byteLength } = builder.finish();
    expect(extents.map(({ start, end }) => [start, end])).toEqual([
      [0, 12],
      [20, 21],
      [21, 22],
    ]);
    expect(byteLength).toBe(14);
  });

  test("never changes an extent that another text may hold", () => {
    const extent = { slab, start: 0, end: 10 };
    const builder = new TextBuilder();
    builder.addText({ extents: [extent], byteLength: 10 });
    builder.add({ slab, start: 10, end: 20 });
    expect(extent.end).toBe(10);
    expect(builder.finish().byteLength).toBe(20);
  });
});
