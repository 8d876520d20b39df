import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { specialToken } from "../../src/tokenizer/added-token.ts";
import { chooseTokenizer } from "../../src/tokenizer/choose-tokenizer.ts";
import { checkpointDirectory } from "../fixtures/checkpoints.ts";
import { hangMs } from "../harness/time-limit.ts";
import { added, byteLevel, definition, sequence, split } from "./byte-level-bpe/definitions.ts";

function sourceOf(json: string) {
  return {
    json: new TextEncoder().encode(json),
    path: "tokenizer.json",
    addedTokens: [],
    specialTokens: [],
    cleanUpTokenizationSpaces: false,
  };
}

const inexact = definition({ added_tokens: [added(256, "<w>", { single_word: true })] });

describe("chooseTokenizer()", () => {
  test("takes the fast engine where it is exact", async () => {
    const choice = await chooseTokenizer(sourceOf(definition()), "auto");
    expect(choice).toMatchObject({ engine: "byte-level-bpe", unsupported: null });
    expect(choice.tokenizer.encode("ab")).toEqual([97, 98]);
  });

  test("takes the library where it is not, and tells why", async () => {
    const choice = await chooseTokenizer(sourceOf(inexact), "auto");
    expect(choice).toMatchObject({
      engine: "rust",
      unsupported: 'the added token "<w>" with single_word',
    });
    expect(await choice.tokenizer.encode("a <w> <w>b")).toEqual([97, 32, 256, 32, 60, 119, 62, 98]);
  });

  test("takes the library when asked to", async () => {
    const choice = await chooseTokenizer(sourceOf(definition()), "rust");
    expect(choice).toMatchObject({ engine: "rust", unsupported: null });
  });

  test("lets the library say what is wrong with a broken definition", async () => {
    const error = await chooseTokenizer(sourceOf("{"), "auto").catch((caught) => caught);
    expect(error.message).toStartWith("tokenizer.json is no tokenizer definition: ");
  });
});

test("both engines give a checkpoint's tokens the same ids, and the same ones are special", async () => {
  const json = definition({
    added_tokens: [added(256, "<a>"), added(257, "<b>", { special: false }), added(258, "<c>")],
    pre_tokenizer: sequence(split("\\n+"), byteLevel),
  });
  const source = {
    ...sourceOf(json),
    addedTokens: [
      specialToken("<b>"),
      { ...specialToken("<c>"), special: false },
      specialToken("<d>"),
      { ...specialToken("<e>"), special: false },
    ],
    specialTokens: ["<e>", "<f>", "b", ""].map(specialToken),
  };
  const fast = await chooseTokenizer(source, "auto");
  const library = await chooseTokenizer(source, "rust");
  expect(fast.engine).toBe("byte-level-bpe");
  const ids = (set: ReadonlySet<number>): number[] => [...set].sort((a, b) => a - b);
  expect(ids(fast.tokenizer.specialTokenIds)).toEqual(ids(library.tokenizer.specialTokenIds));
  for (const token of ["<a>", "<b>", "<c>", "<d>", "<e>", "<f>", "b", "\u0120", "nope", ""]) {
    expect(fast.tokenizer.tokenId(token)).toBe(library.tokenizer.tokenId(token));
  }
  const text = "<a><b><c><d><e><f>abc";
  expect(fast.tokenizer.encode(text)).toEqual(await library.tokenizer.encode(text));
});

/** Loads a checkpoint in a process of its own; tells what it loaded, ran and held. */
async function loadAlone(tokenizer: "auto" | "rust") {
  const program = `
    import { loadCheckpoint } from "./src/tokenizer/checkpoint.ts";
    const loaded = await loadCheckpoint(process.argv[1], {
      chatTemplatePath: null,
      tokenizer: process.argv[2],
    });
    const maps = await Bun.file("/proc/self/maps").text();
    console.log(JSON.stringify({
      engine: loaded.tokenizerEngine,
      hasBinding: maps.includes("tokenizers.linux"),
      ids: await loaded.tokenizer.encode("Hello, world\\n"),
      residentMebibytes: process.memoryUsage.rss() / 2 ** 20,
    }));
  `;
  const child = Bun.spawn(
    [process.execPath, "-e", program, checkpointDirectory("qwen3"), tokenizer],
    { cwd: join(import.meta.dir, "../.."), stdout: "pipe", stderr: "inherit" },
  );
  return JSON.parse(await child.stdout.text());
}

test(
  "a process that takes the fast engine never loads the binding and holds less",
  async () => {
    const fast = await loadAlone("auto");
    const library = await loadAlone("rust");
    expect(fast).toMatchObject({ engine: "byte-level-bpe", ids: library.ids });
    expect(library.engine).toBe("rust");
    if (process.platform === "linux") {
      expect(fast.hasBinding).toBe(false);
      expect(library.hasBinding).toBe(true);
    }
    expect(fast.residentMebibytes).toBeLessThan(library.residentMebibytes);
  },
  hangMs,
);
