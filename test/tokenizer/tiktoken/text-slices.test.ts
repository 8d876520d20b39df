import { expect, test } from "bun:test";
import { textSlices } from "../../../src/tokenizer/tiktoken/text-slices.ts";

const lengths = (text: string) => textSlices(text).map((slice) => [...slice].length);

test("textSlices() leaves ordinary text whole", () => {
  expect(textSlices("")).toEqual([""]);
  const text = "word ".repeat(60_000);
  expect(textSlices(text)).toEqual([text]);
});

test("textSlices() cuts runs behind 25,000 code points, counted from the run's start", () => {
  expect(lengths(`x ${"a".repeat(25_000)} y`)).toEqual([25_004]);
  expect(lengths(`x ${"a".repeat(25_001)} y`)).toEqual([25_002, 3]);
  expect(lengths("😀".repeat(50_001))).toEqual([25_000, 25_000, 1]);
  expect(lengths(`a${"\u001c ".repeat(13_000)}`)).toEqual([25_001, 1_000]);
});

test("textSlices() cuts behind 400,000 code points, and counts runs anew from there", () => {
  const text = "😀 ".repeat(199_990) + "b".repeat(40);
  expect(lengths(text)).toEqual([400_000, 20]);
  expect(textSlices(text).join("")).toBe(text);
});
