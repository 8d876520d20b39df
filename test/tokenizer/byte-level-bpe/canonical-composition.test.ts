import { expect, test } from "bun:test";
import { nfcNormalizer } from "tokenizers";
import { CanonicalComposition } from "../../../src/tokenizer/byte-level-bpe/canonical-composition.ts";
import { canonicalComposition } from "../../../src/tokenizer/byte-level-bpe/unicode-tables.ts";
import { randomFrom, seedOf } from "../../harness/random.ts";

const composition = new CanonicalComposition();
const library = nfcNormalizer();

test("normalize() composes, reorders and decomposes like NFC", () => {
  expect(composition.normalize("e\u0301")).toBe("\u00e9");
  expect(composition.normalize("a\u0301\u0323")).toBe("\u1ea1\u0301");
  expect(composition.normalize("\u1100\u1161\u11a8")).toBe("\uac01");
  expect(composition.normalize("\u212a\u2126")).toBe("K\u03a9");
  expect(composition.normalize("plain \u00e9 \u4e2d\ud55c")).toBe("plain \u00e9 \u4e2d\ud55c");
});

test("normalize() leaves characters alone that are newer than the library's tables", () => {
  for (const text of ["e\u07fd\u0301", "\ud804\udfc2\ud804\udfc2", "a\u1acf\u0323"]) {
    expect(composition.normalize(text)).toBe(library.normalizeString(text));
  }
});

test("normalize() agrees with the library on 30,000 random runs", () => {
  const random = randomFrom(seedOf("canonical composition"));
  const { changing, leading } = canonicalComposition();
  const ranges = [...changing.ranges(), ...leading.ranges()];
  const differences: string[] = [];
  for (let round = 0; round < 30_000; round += 1) {
    const characters = Array.from({ length: random.integer(1, 6) }, () => {
      const [first, last] = random.pick(ranges);
      const any = random.integer(0, 0xd7ff);
      return String.fromCodePoint(random.chance(0.1) ? any : random.integer(first, last));
    });
    const text = characters.join("");
    if (composition.normalize(text) !== library.normalizeString(text)) differences.push(text);
  }
  expect(differences).toEqual([]);
});
