import { expect, test } from "bun:test";
import { RecordText } from "../../src/records/record-text.ts";
import { TextBuilder } from "../../src/records/slab.ts";
import { SlabArena } from "../../src/records/slab-arena.ts";
import { SlabWriter } from "../../src/records/slab-writer.ts";

test("RecordText puts new text as UTF-8, bytes and stored texts in order", () => {
  const writer = new SlabWriter(new SlabArena());
  const stored = new TextBuilder();
  writer.write(Buffer.from("stored"), stored);
  const record = new RecordText(writer);
  record.add("é");
  record.addBytes(Buffer.from("-"));
  record.addText(stored.finish());
  const { extents, byteLength } = record.finish();
  const bytes = extents.map(({ slab, start, end }) => slab.bytes.subarray(start, end));
  expect(Buffer.concat(bytes).toString()).toBe("é-stored");
  expect(byteLength).toBe(9);
});
