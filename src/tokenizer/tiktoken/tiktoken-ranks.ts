// spec: tiktoken, load_tiktoken_bpe
/**
 * Reads a tiktoken.model: one token a line, its bytes in Base64 and its rank, which is its id.
 *
 * Reports    CheckpointError that names the path, the line and what is wrong with it.
 */
import { hashBytes, Vocabulary } from "../byte-level-bpe/vocabulary.ts";
import { CheckpointError } from "../checkpoint-error.ts";

export interface TiktokenRanks {
  readonly vocabulary: Vocabulary;
  /** Ids from here on are free for special tokens. */
  readonly tokenCount: number;
}

const byteCount = 256;
const line = /^([A-Za-z0-9+/]+={0,2}) (\d{1,7})\r?$/;

/** @throws CheckpointError */
export function readTiktokenRanks(text: string, path: string): TiktokenRanks {
  const lines = text.trimEnd().split("\n");
  const tokens = lines.map((row, rank) => {
    const [, base64 = "", number = ""] = line.exec(row) ?? [];
    const fault = (what: string) => new CheckpointError(`${path}: line ${rank + 1} ${what}`);
    if (number === "") throw fault("is not Base64, a space and a rank");
    // Special tokens follow the last rank, so that a gap would give them the ids of others.
    if (Number(number) !== rank) throw fault(`has the rank ${number}; expected ${rank}`);
    return Buffer.from(base64, "base64");
  });
  const bytes = Buffer.concat(tokens);
  const vocabulary = new Vocabulary(bytes, bytes.length, tokens.length);
  let start = 0;
  for (const [rank, token] of tokens.entries()) {
    const hash = hashBytes(token, 0, token.length);
    if (vocabulary.find(token, 0, token.length, hash) >= 0) {
      throw new CheckpointError(`${path}: line ${rank + 1} repeats a token`);
    }
    vocabulary.index(rank, start, start + token.length, hash);
    start += token.length;
  }
  for (let byte = 0; byte < byteCount; byte += 1) {
    const single = Uint8Array.of(byte);
    if (vocabulary.find(single, 0, 1, hashBytes(single, 0, 1)) >= 0) continue;
    throw new CheckpointError(`${path} has no token for the byte ${byte}`);
  }
  return { vocabulary, tokenCount: tokens.length };
}
