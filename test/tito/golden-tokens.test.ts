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

/** What the original keeps of a session, in its simplest form: the ids of every turn are whole. */
interface Session {
  readonly messages: JsonObject[];
  readonly turns: { messageEnd: number; ids: number[]; tools: JsonValue }[];
}

type Matcher = (stored: JsonObject, replayed: JsonObject) => boolean;

async function replay(golden: Golden): Promise<void> {
  const family = titoFamilies.find((name) => name === golden.tito_model);
  const matcher = matcherNames.find((name) => name === golden.message_matcher);
  if (!family || !matcher) throw new Error("a golden names an unknown family or matcher");
  const tito = createTitoTokenizer({
    family,
    checkpoint: await testCheckpoint(golden.checkpoint),
    chatTemplateKwargs: objectOf(JSON.stringify(golden.chat_template_kwargs)),
  });
  const session: Session = { messages: [], turns: [] };
  for (const step of golden.steps) {
    if (step.op === "chat" && step.upstream_request) {
      await chat(step, tito, session, messageMatchers[matcher]);
    }
    if (step.op === "get" && step.reply.status === 200) await inspect(step, tito, session);
  }
}

async function chat(
  step: GoldenStep,
  tito: TitoTokenizer,
  session: Session,
  matches: Matcher,
): Promise<void> {
  const request = objectOf(step.body ?? "");
  const messages = listOf(request.get("messages")) as JsonObject[];
  const tools = request.get("tools") ?? null;
  const kwargs = request.get("chat_template_kwargs");
  const scoped = kwargs instanceof Map ? tito.withRequestKwargs(kwargs) : tito;
  rollBack(session, messages, matches);
  const prompt = await promptOf(scoped, session, messages, tools);
  expect(prompt).toEqual(step.upstream_request?.json.input_ids ?? []);
  // A reply that the server would have refused stores nothing.
  if (step.reply.status !== 200) return;
  const choice = listOf(objectOf(step.upstream_reply?.body ?? "").get("choices"))[0] as JsonObject;
  const metaInfo = choice.get("meta_info") as JsonObject;
  const completion = listOf(metaInfo.get("output_token_logprobs")).map((entry) =>
    Number(listOf(entry)[1]),
  );
  session.messages.push(...messages.slice(session.messages.length));
  session.messages.push(choice.get("message") as JsonObject);
  session.turns.push({
    messageEnd: session.messages.length,
    ids: [...prompt, ...completion],
    tools,
  });
}

/** Back to the last turn inside the part of the history that the request repeats. */
function rollBack(session: Session, messages: readonly JsonObject[], matches: Matcher): void {
  const different = session.messages.findIndex((stored, index) => {
    const replayed = messages[index];
    return !replayed || !matches(stored, replayed);
  });
  if (different < 0) return;
  session.turns.length = session.turns.findLastIndex((turn) => turn.messageEnd <= different) + 1;
  session.messages.length = session.turns.at(-1)?.messageEnd ?? 0;
}

async function promptOf(
  tito: TitoTokenizer,
  session: Session,
  messages: readonly JsonObject[],
  tools: JsonValue,
): Promise<number[]> {
  const turn = session.turns.at(-1);
  if (!turn) return tito.renderPrompt(messages, tools, { addGenerationPrompt: true });
  const appended = messages.slice(session.messages.length);
  const added = await tito.appendTokens(session.messages, appended, turn.ids.at(-1), tools);
  return [...turn.ids.slice(0, turn.ids.length - added.dropLast), ...added.tokens];
}

async function inspect(step: GoldenStep, tito: TitoTokenizer, session: Session): Promise<void> {
  const { metadata } = JSON.parse(step.reply.body);
  const turn = session.turns.at(-1);
  expect(turn?.ids ?? []).toEqual(metadata.accumulated_token_ids);
  expect(tito.maxTrimTokens).toBe(metadata.max_trim_tokens);
  if (!turn) return;
  const expected = await tito.renderPrompt(session.messages, turn.tools, {
    addGenerationPrompt: false,
  });
  expect(await tito.compare(expected, turn.ids)).toEqual(metadata.tito_session_mismatch);
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
