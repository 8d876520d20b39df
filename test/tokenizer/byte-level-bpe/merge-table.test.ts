import { expect, test } from "bun:test";
import { MergeTable, noRank } from "../../../src/tokenizer/byte-level-bpe/merge-table.ts";
import { randomFrom, seedOf } from "../../harness/random.ts";

test("rank() and merged() agree with a Map", () => {
  const random = randomFrom(seedOf("merge table"));
  const expected = new Map<string, { rank: number; merged: number }>();
  const table = new MergeTable(2_000);
  for (let rank = 0; rank < 2_000; rank += 1) {
    const [left, right, merged] = [random.integer(0, 60), random.integer(0, 60), rank + 500];
    table.add(left, right, merged);
    // A pair that is given again takes the later rank.
    expected.set(`${left} ${right}`, { rank, merged });
  }
  for (let left = 0; left <= 61; left += 1) {
    for (let right = 0; right <= 61; right += 1) {
      const entry = expected.get(`${left} ${right}`);
      expect(table.rank(left, right)).toBe(entry?.rank ?? noRank);
      if (entry) expect(table.merged(entry.rank)).toBe(entry.merged);
    }
  }
});

test("a table without merges has no ranks", () => {
  expect(new MergeTable(0).rank(0, 0)).toBe(noRank);
});
