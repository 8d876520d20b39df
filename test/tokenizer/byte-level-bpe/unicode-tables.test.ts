import { expect, test } from "bun:test";
import { readUnicodeTables } from "../../../scripts/unicode-tables.ts";
import tables from "../../../src/tokenizer/byte-level-bpe/unicode-tables.json" with {
  type: "json",
};
import {
  unicodeProperty,
  whiteSpace,
} from "../../../src/tokenizer/byte-level-bpe/unicode-tables.ts";
import { hangMs } from "../../harness/time-limit.ts";

test(
  "the tables are those of the binding",
  () => {
    expect(readUnicodeTables()).toEqual(tables);
  },
  hangMs,
);

test("unicodeProperty() takes categories of one and two letters, and Han", () => {
  const letters = unicodeProperty("L");
  expect(letters?.has(0x61)).toBe(true);
  expect(letters?.has(0x31)).toBe(false);
  expect(unicodeProperty("Lu")?.has(0x61)).toBe(false);
  expect(unicodeProperty("Han")?.has(0x4e2d)).toBe(true);
  expect(unicodeProperty("Hiragana")).toBeNull();
  expect(unicodeProperty("Letter")).toBeNull();
  expect(unicodeProperty("")).toBeNull();
});

test("characters of Unicode 17 are unassigned, as in the binding", () => {
  expect(unicodeProperty("L")?.has(0x16ea0)).toBe(false);
  expect(unicodeProperty("Cn")?.has(0x16ea0)).toBe(true);
});

test("whiteSpace() includes U+0085 and not U+FEFF", () => {
  expect(whiteSpace().has(0x85)).toBe(true);
  expect(whiteSpace().has(0xfeff)).toBe(false);
});
