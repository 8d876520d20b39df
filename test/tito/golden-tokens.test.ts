/**
 * The token ids of the original's transcripts: what each backend request carried, and how the ids
 * of a session differed from a fresh render at its end.
 */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { messageMatchers as matcherNames, titoFamilies } from "../../src/config.ts";
import { parseJson } from "../../src/json/lossless.ts";
import type { JsonObject, JsonValue } from "../../src/json/values.ts";
import { createTitoTokenizer, type TitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { LinearTrajectory } from "../../src/trajectory/linear-trajectory.ts";
import { messageMatchers } from "../../src/trajectory/message-matcher.ts";
import { testCheckpoint } from "../fixtures/checkpoints.ts";

const goldenDirectory = join(import.meta.dir, "..", "golden");

interface GoldenStep {
  readonly op: string;
  readonly body?: string;
  readonly upstream_request?: { readonly json: { readonly input_ids?: number[] } };
  readonly upstream_reply?: { readonly status: number; readonly body: string };
  readonly reply: { readonly status: number; readonly body: string };
}

interface Golden {
  readonly tito_model: string;
  readonly message_matcher: string;
  readonly checkpoint: "qwen3" | "deepseekv32";
  readonly chat_template_kwargs: JsonValue;
  readonly steps: readonly GoldenStep[];
}

describe("golden transcripts", () => {
  for (const file of readdirSync(goldenDirectory).filter((name) => name.endsWith(".json"))) {
    const golden: Golden = JSON.parse(readFileSync(join(goldenDirectory, file), "utf8"));
    test(`${file} sends the same token ids and reports the same mismatches`, () => replay(golden));
  }
});

async function replay(golden: Golden): Promise<void> {
  const family = titoFamilies.find((name) => name === golden.tito_model);
  const matcher = matcherNames.find((name) => name === golden.message_matcher);
  if (!family || !matcher) throw new Error("a golden names an unknown family or matcher");
  const tito = createTitoTokenizer({
    family,
    checkpoint: await testCheckpoint(golden.checkpoint),
    chatTemplateKwargs: objectOf(JSON.stringify(golden.chat_template_kwargs)),
  });
  const trajectory = new LinearTrajectory(tito.maxTrimTokens);
  for (const step of golden.steps) {
    if (step.op === "chat" && step.upstream_request) {
      await chat(step, tito, trajectory, messageMatchers[matcher]);
    }
    if (step.op === "get" && step.reply.status === 200) await inspect(step, tito, trajectory);
  }
}

async function chat(
  step: GoldenStep,
  tito: TitoTokenizer,
  trajectory: LinearTrajectory,
  matches: (stored: JsonObject, replayed: JsonObject) => boolean,
): Promise<void> {
  const request = objectOf(step.body ?? "");
  const kwargs = request.get("chat_template_kwargs");
  const scoped = kwargs instanceof Map ? tito.withRequestKwargs(kwargs) : tito;
  const tools = request.get("tools") ?? null;
  const plan = trajectory.plan(
    listOf(request.get("messages")).map((message) => message as JsonObject),
    matches,
    scoped.allowedAppendRoles,
  );
  const added =
    plan.lastToken === undefined
      ? {
          dropLast: 0,
          tokens: await scoped.renderPrompt(plan.appended, tools, { addGenerationPrompt: true }),
        }
      : await scoped.appendTokens(plan.history, plan.appended, plan.lastToken, tools);
  const { checkpointCount } = plan;
  const prompt = trajectory.tokens.promptText(checkpointCount, added.dropLast, added.tokens);
  expect(prompt).toBe(step.upstream_request?.json.input_ids?.join(",") ?? "");
  // A reply that the server would have refused stores nothing.
  if (step.reply.status !== 200) return;
  const choice = listOf(objectOf(step.upstream_reply?.body ?? "").get("choices"))[0] as JsonObject;
  const metaInfo = choice.get("meta_info") as JsonObject;
  const completion = listOf(metaInfo.get("output_token_logprobs")).map((entry) =>
    Number(listOf(entry)[1]),
  );
  trajectory.commit(plan, {
    dropLast: added.dropLast,
    tokens: [...added.tokens, ...completion],
    assistantMessage: choice.get("message") as JsonObject,
    tools,
  });
}

async function inspect(
  step: GoldenStep,
  tito: TitoTokenizer,
  trajectory: LinearTrajectory,
): Promise<void> {
  const { metadata } = JSON.parse(step.reply.body);
  const actual = [...trajectory.tokens.latest()];
  expect(actual).toEqual(metadata.accumulated_token_ids);
  expect(tito.maxTrimTokens).toBe(metadata.max_trim_tokens);
  if (metadata.tito_session_mismatch === undefined) return;
  const expected = await tito.renderPrompt(trajectory.messages, trajectory.latestTools, {
    addGenerationPrompt: false,
  });
  expect(await tito.compare(expected, actual)).toEqual(metadata.tito_session_mismatch);
}

function objectOf(text: string): JsonObject {
  const value = parseJson(text);
  if (value instanceof Map) return value;
  throw new Error(`a golden holds no JSON object where one is expected: ${text.slice(0, 40)}`);
}

function listOf(value: JsonValue | undefined): JsonValue[] {
  if (Array.isArray(value)) return value;
  throw new Error("a golden holds no list where one is expected");
}
