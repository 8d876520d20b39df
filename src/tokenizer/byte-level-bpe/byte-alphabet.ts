/**
 * The alphabet of byte-level vocabularies: one character for each byte, as GPT-2 chose them.
 * Visible Latin-1 characters stand for themselves, the other bytes in order from U+0100 on, so that
 * a space is written U+0120.
 */

export const byteCount = 256;

/** Characters of the alphabet are below this, so that two bytes of UTF-8 hold any of them. */
const alphabetEnd = 0x200;

const byteOfCharacter = new Int16Array(alphabetEnd).fill(-1);

let next = byteCount;
for (let byte = 0; byte < byteCount; byte += 1) {
  const isVisible =
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
  byteOfCharacter[isVisible ? byte : next++] = byte;
}

/** The byte that a character stands for, by code point below 0x200; -1 when it stands for none. */
export const alphabetBytes: Int16Array = byteOfCharacter;

/**
 * The bytes that a text of the alphabet stands for.
 *
 * @returns null when a character is not of the alphabet
 */
export function bytesOfCharacters(text: string): Uint8Array | null {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const byte = byteOfCharacter[text.charCodeAt(index)] ?? -1;
    if (byte < 0) return null;
    bytes[index] = byte;
  }
  return bytes;
}
