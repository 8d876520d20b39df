import { expect, test } from "bun:test";
import { decodeTokens } from "../../../src/tokenizer/byte-level-bpe/token-decoder.ts";
import { Vocabulary } from "../../../src/tokenizer/byte-level-bpe/vocabulary.ts";

const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const vocabulary = new Vocabulary(bytes, 256, 256);
for (let byte = 0; byte < 256; byte += 1) vocabulary.index(byte, byte, byte + 1, byte);
vocabulary.addHidden(300, new TextEncoder().encode("<｜end｜>"));

test("decodeTokens() puts characters together that tokens cut apart", () => {
  const ids = [...new TextEncoder().encode("\ufeffh\u00e9\u{1f600}\u0000")];
  expect(decodeTokens(vocabulary, ids)).toBe("\ufeffh\u00e9\u{1f600}\u0000");
  expect(decodeTokens(vocabulary, [])).toBe("");
  expect(decodeTokens(vocabulary, [97, 300, 98])).toBe("a<｜end｜>b");
});

test("decodeTokens() writes U+FFFD for what is no UTF-8 and leaves out unknown ids", () => {
  expect(decodeTokens(vocabulary, [0xe4, 0xb8, 0x61, 0xff, 0xc0, 0x80])).toBe(
    "\ufffda\ufffd\ufffd\ufffd",
  );
  expect(decodeTokens(vocabulary, [97, 299, -1, 1_000_000, 98])).toBe("ab");
});
