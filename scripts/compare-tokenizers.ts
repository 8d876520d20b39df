/**
 * Compares the fast tokenizer with the Rust library on any tokenizer.json:
 *
 *     bun run scripts/compare-tokenizers.ts [--quick] <tokenizer.json>...
 *
 * Load times, encoding speed on texts that neither has seen, and every difference on hard texts and
 * on all code points in eight surroundings (with --quick, on every 101st). Exits with 1 when there
 * is a difference. About two minutes a file on one core.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer as RustTokenizer } from "tokenizers";
import { createByteLevelBpeTokenizer } from "../src/tokenizer/byte-level-bpe/byte-level-bpe-tokenizer.ts";
import { UnsupportedFeatureError } from "../src/tokenizer/byte-level-bpe/unsupported-feature.ts";
import { noOverrides, TokenizerPair } from "../test/tokenizer/byte-level-bpe/binding.ts";
import { hardTexts, surroundings } from "../test/tokenizer/byte-level-bpe/hard-texts.ts";
import { projectRoot } from "./dependencies.ts";

const shownDifferences = 10;

/** Texts of each size that speed is measured on; no text comes twice. */
const speedTexts = 30;

function milliseconds(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;

/** Planes without a single letter are sampled: their code points are treated alike. */
function* codePoints(step: number): Generator<number> {
  for (let codePoint = 0; codePoint < 0x11_0000; codePoint += 1) {
    if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
    const plane = codePoint >> 16;
    const planeStep = plane >= 4 && plane !== 14 ? 257 : 1;
    if (codePoint % planeStep === 0 && codePoint % step === 0) yield codePoint;
  }
}

/** Texts of code, documents and many scripts; each begins elsewhere. */
function* mixedTexts(characters: number): Generator<string> {
  const files = ["README.md", "ARCHITECTURE.md", "src/core/core.ts", "src/json/span-scanner.ts"];
  const parts = files.map((file) => readFileSync(join(projectRoot, file), "utf8"));
  const scripts = hardTexts([]).slice(0, 15).join("\n");
  for (let offset = 0; ; offset += 1) {
    let text = "";
    for (let index = offset; text.length < characters; index += 1) {
      const part = parts[index % parts.length] ?? "";
      const start = (index * 997) % Math.max(1, part.length - 2_000);
      const script = scripts.slice((index * 31) % 400);
      text += `${part.slice(start, start + 2_000)}\n${script} ${index}\n`;
    }
    yield text.slice(0, characters).toWellFormed();
  }
}

/** Milliseconds for one text, the median over texts that the engine has not seen. */
async function encodingTime(
  encode: (text: string) => unknown,
  texts: readonly string[],
): Promise<number> {
  const times: number[] = [];
  for (const text of texts) {
    const start = performance.now();
    await encode(text);
    times.push(performance.now() - start);
  }
  return median(times);
}

async function compareSpeed(pair: TokenizerPair, characters: number): Promise<void> {
  const texts: string[] = [];
  for (const text of mixedTexts(characters)) if (texts.push(text) === speedTexts) break;
  const bytes = Buffer.byteLength(texts.join("")) / texts.length;
  const rate = (time: number): string => `${(bytes / 1e3 / time).toFixed(1)} MB/s`;
  const own = await encodingTime((text) => pair.own.encode(text), texts);
  const rust = await encodingTime(async (text) => {
    const encoding = await pair.rust.encode(text, null, { addSpecialTokens: false });
    return encoding.getIds();
  }, texts);
  const size = `${characters / 1e3} KB`;
  console.log(`  ${size}: ${rate(own)}, library ${rate(rust)}: ${(rust / own).toFixed(1)} x`);
}

async function compareTexts(pair: TokenizerPair, markers: string[], step: number) {
  const differences: unknown[] = await pair.encodingDifferences(hardTexts(markers));
  let count = hardTexts(markers).length;
  let texts: string[] = [];
  for (const codePoint of codePoints(step)) {
    texts.push(...surroundings(String.fromCodePoint(codePoint)));
    if (texts.length < 4_000) continue;
    differences.push(...(await pair.encodingDifferences(texts)));
    count += texts.length;
    texts = [];
  }
  differences.push(...(await pair.encodingDifferences(texts)));
  return { count: count + texts.length, differences };
}

/** @returns whether the two agree */
async function compare(path: string, step: number): Promise<boolean> {
  const bytes = readFileSync(path);
  const json = bytes.toString("utf8");
  console.log(path);
  try {
    const ownLoad = milliseconds(() => createByteLevelBpeTokenizer(bytes, noOverrides));
    const rustLoad = milliseconds(() => RustTokenizer.fromString(json));
    console.log(`  load: ${ownLoad.toFixed(0)} ms, library ${rustLoad.toFixed(0)} ms`);
  } catch (error) {
    if (!(error instanceof UnsupportedFeatureError)) throw error;
    console.log(`  left to the library: ${error.message}`);
    return true;
  }
  const pair = new TokenizerPair(json);
  for (const characters of [100_000, 10_000, 1_000]) await compareSpeed(pair, characters);
  const added: { content: string }[] = JSON.parse(json).added_tokens;
  const markers = added.map(({ content }) => content);
  const { count, differences } = await compareTexts(pair, markers, step);
  console.log(`  ${count} texts, ${differences.length} differences`);
  for (const difference of differences.slice(0, shownDifferences)) console.log(difference);
  return differences.length === 0;
}

const paths = process.argv.slice(2).filter((word) => word !== "--quick");
const step = process.argv.includes("--quick") ? 101 : 1;
let isEqual = true;
for (const path of paths) isEqual = (await compare(path, step)) && isEqual;
process.exitCode = isEqual ? 0 : 1;
