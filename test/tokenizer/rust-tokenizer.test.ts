import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { InvalidRequestError } from "../../src/errors.ts";
import { specialToken } from "../../src/tokenizer/added-token.ts";
import { CheckpointError } from "../../src/tokenizer/checkpoint-error.ts";
import { demoTokenizerDefinition } from "../../src/tokenizer/demo-checkpoint.ts";
import {
  createRustTokenizer,
  type TokenizerDefinition,
} from "../../src/tokenizer/rust-tokenizer.ts";

const demo = demoTokenizerDefinition();

function tokenizerWith(changes: Partial<TokenizerDefinition>) {
  return createRustTokenizer({ ...demo, ...changes });
}

/** The demo's definition with some members of tokenizer.json replaced. */
function changedJson(changes: Record<string, unknown>): string {
  return JSON.stringify({ ...JSON.parse(demo.json), ...changes });
}

describe("encode()", () => {
  const tokenizer = createRustTokenizer(demo);

  test("refuses a lone surrogate and names it with what stands before", async () => {
    const error = await Promise.resolve(tokenizer.encode("caf\u00e9 \ud83d!")).catch((e) => e);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toContain('lone surrogate U+D83D after "caf\u00e9 "');
  });

  test("takes surrogate pairs, a byte-order mark and control characters as they are", async () => {
    const text = "\ufeff\u0000\u0085\ud83d\ude00";
    const ids = await tokenizer.encode(text);
    expect(ids).toEqual([...new TextEncoder().encode(text)]);
    expect(await tokenizer.decode(ids)).toBe(text);
  });

  test("gives each of many texts at once its own ids", async () => {
    const texts = Array.from({ length: 200 }, (_, index) => `text ${index}`);
    const encoded = await Promise.all(texts.map((text) => tokenizer.encode(text)));
    const decoded = await Promise.all(encoded.map((ids) => tokenizer.decode(ids)));
    expect(decoded).toEqual(texts);
  });

  test("does not hold on to the memory of long texts", async () => {
    // In a process of its own: what other tests leave to the garbage collector is not measured.
    const program = `
      import { demoTokenizerDefinition } from "./src/tokenizer/demo-checkpoint.ts";
      import { createRustTokenizer } from "./src/tokenizer/rust-tokenizer.ts";
      const tokenizer = createRustTokenizer(demoTokenizerDefinition());
      const text = "0123456789".repeat(2_000);
      const encodeMany = async (count) => {
        for (let index = 0; index < count; index++) await tokenizer.encode(text + index);
        return process.memoryUsage.rss();
      };
      const before = await encodeMany(10);
      console.log((await encodeMany(60)) - before);`;
    const child = Bun.spawn([process.execPath, "-e", program], {
      cwd: join(import.meta.dir, "../.."),
      stdout: "pipe",
      stderr: "inherit",
    });
    const growth = Number(await child.stdout.text());
    expect(await child.exited).toBe(0);
    // Left to the garbage collector it is 90 MiB here and gigabytes in a server.
    expect(growth).toBeLessThan(50 * 1024 * 1024);
  });

  test("neither truncates nor pads, whatever the definition says", async () => {
    const json = changedJson({
      truncation: { direction: "Right", max_length: 2, strategy: "LongestFirst", stride: 0 },
      padding: {
        strategy: { Fixed: 8 },
        direction: "Right",
        pad_to_multiple_of: null,
        pad_id: 0,
        pad_type_id: 0,
        pad_token: "x",
      },
    });
    expect(await tokenizerWith({ json }).encode("abc")).toEqual([97, 98, 99]);
  });
});

describe("decode()", () => {
  test("skips ids outside of the vocabulary and takes an empty list", async () => {
    const tokenizer = createRustTokenizer(demo);
    expect(await tokenizer.decode([])).toBe("");
    expect(await tokenizer.decode([97, 1_000_000, 98])).toBe("ab");
  });
});

describe("tokenId()", () => {
  test("finds added tokens and nothing that is no token", () => {
    const tokenizer = createRustTokenizer(demo);
    expect(tokenizer.tokenId("<|im_start|>")).toBe(256);
    expect(tokenizer.tokenId("<|im_start|>user")).toBeUndefined();
  });
});

describe("special tokens", () => {
  test("an override marks a known token as special and keeps its id", () => {
    const tokenizer = tokenizerWith({ addedTokens: [specialToken("<think>")] });
    const id = tokenizer.tokenId("<think>") ?? -1;
    expect(createRustTokenizer(demo).specialTokenIds.has(id)).toBe(false);
    expect(tokenizer.specialTokenIds.has(id)).toBe(true);
  });

  test("one that the definition lacks is made and found in text", async () => {
    const tokenizer = tokenizerWith({ specialTokens: [specialToken("<new>")] });
    const id = tokenizer.tokenId("<new>");
    expect(id).toBe(265);
    expect(await tokenizer.encode("a<new>b")).toEqual([97, 265, 98]);
    expect(tokenizer.specialTokenIds.has(265)).toBe(true);
  });

  test("one that the definition has but does not mark is special all the same", () => {
    const tokenizer = tokenizerWith({ specialTokens: [specialToken("</think>")] });
    expect(tokenizer.specialTokenIds.has(tokenizer.tokenId("</think>") ?? -1)).toBe(true);
  });
});

describe("clean_up_tokenization_spaces", () => {
  test("is ignored for BPE, as transformers 5 does", async () => {
    const tokenizer = tokenizerWith({ cleanUpTokenizationSpaces: true });
    expect(await tokenizer.decode(await tokenizer.encode("a ."))).toBe("a .");
  });

  test("is refused for other models", () => {
    const model = { type: "WordLevel", vocab: { "[UNK]": 0, a: 1 }, unk_token: "[UNK]" };
    const json = changedJson({ model, added_tokens: [] });
    const specialTokens: never[] = [];
    const create = () => tokenizerWith({ json, specialTokens, cleanUpTokenizationSpaces: true });
    expect(create).toThrow(CheckpointError);
    expect(create).toThrow("not supported for a WordLevel model");
  });
});
