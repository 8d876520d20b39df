import { expect, test } from "bun:test";
import { byteLevelAlphabet } from "tokenizers";
import {
  alphabetBytes,
  bytesOfCharacters,
} from "../../../src/tokenizer/byte-level-bpe/byte-alphabet.ts";
import { alphabet, spelled } from "./definitions.ts";

test("the alphabet has the library's characters, one for each byte", () => {
  const characters = [...alphabetBytes.entries()]
    .filter(([, byte]) => byte >= 0)
    .map(([character]) => String.fromCharCode(character));
  expect(characters.sort()).toEqual(byteLevelAlphabet().sort());
  expect([...(bytesOfCharacters(alphabet.join("")) ?? [])]).toEqual([...Array(256).keys()]);
});

test("bytesOfCharacters() takes texts of the alphabet only", () => {
  expect(bytesOfCharacters(spelled(" \u4e2d"))).toEqual(new TextEncoder().encode(" \u4e2d"));
  expect(bytesOfCharacters("")).toEqual(new Uint8Array());
  for (const text of ["a b", "a\u00ad", "\u0144", "\u4e2d", "a\u{1f600}"]) {
    expect(bytesOfCharacters(text)).toBeNull();
  }
});
