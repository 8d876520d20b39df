/**
 * The conversation that every session of a run has: what the client appends each turn, what the
 * model answers, and how many tokens both are, counted with the server's own TITO tokenizer.
 *
 * Contract   follows from shape, seed and tokenizer. Sessions differ in one number of fixed width
 *            in their system message, so they have the same tokens but no common prompt.
 * Not here   bytes: request-text.ts and reply-text.ts.
 */
import { parseJson } from "../../src/json/lossless.ts";
import type { JsonObject, JsonValue } from "../../src/json/values.ts";
import { type Completion, complete } from "../../src/mock-engine/completion.ts";
import type { ScriptedReply } from "../../src/mock-engine/script.ts";
import { createTitoTokenizer, type TitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import type { Checkpoint } from "../../src/tokenizer/checkpoint.ts";
import type { Tokenizer } from "../../src/tokenizer/tokenizer.ts";
import type { Shape } from "./shape.ts";
import { TextSource } from "./text.ts";
import { toolDefinitions } from "./tool-definitions.ts";

export interface Message {
  readonly role: string;
  readonly [member: string]: unknown;
}

export interface ConversationTurn {
  /** What the client adds to the history that it replays; the system message is not among them. */
  readonly appended: readonly Message[];
  readonly completion: Completion;
  /** The reply as the client will replay it. */
  readonly assistantMessage: Message;
  /** Tokens of the whole prompt. */
  readonly promptTokens: number;
  /** Tokens of the prompt that the turn before did not have. */
  readonly newPromptTokens: number;
}

export interface Conversation {
  /** null when the model calls no tools. */
  readonly tools: readonly object[] | null;
  readonly turns: readonly ConversationTurn[];
}

/** The family of the tokenizer that the workload is made with. */
export const titoModel = "qwen3";

const endOfTurn = "<|im_end|>";

/** @param checkpoint one of Qwen3 */
export async function makeConversation(
  shape: Shape,
  seed: number,
  checkpoint: Checkpoint,
): Promise<Conversation> {
  const tito = createTitoTokenizer({
    family: titoModel,
    checkpoint,
    chatTemplateKwargs: new Map(),
  });
  const { tokenizer } = checkpoint;
  const source = await TextSource.create(tokenizer, seed);
  const tools = shape.toolResultTokens > 0 ? toolDefinitions : null;
  const counter = new PromptCounter(tito, tools);
  const turns: ConversationTurn[] = [];
  for (let index = 0; index < shape.turns; index += 1) {
    const previous = turns.at(-1);
    const appended = [await nextMessage(shape, source, previous, index)];
    const newPromptTokens = await counter.append(index === 0, previous, appended);
    const { reply, completion } = await modelReply(shape, source, tokenizer, index);
    const assistantMessage = replayedMessage(reply, index);
    const promptTokens =
      newPromptTokens +
      (previous === undefined ? 0 : previous.promptTokens + previous.completion.tokens.length);
    turns.push({ appended, completion, assistantMessage, promptTokens, newPromptTokens });
  }
  return { tools, turns };
}

export function systemMessage(sessionIndex: number): Message {
  const number = String(sessionIndex).padStart(4, "0");
  return { role: "system", content: `You are agent ${number}. Work carefully and report.` };
}

async function nextMessage(
  shape: Shape,
  source: TextSource,
  previous: ConversationTurn | undefined,
  index: number,
): Promise<Message> {
  if (previous === undefined || shape.toolResultTokens === 0) {
    return { role: "user", content: await source.text("prose", shape.inputTokens) };
  }
  const content = await source.text("tool_output", shape.toolResultTokens);
  return { role: "tool", tool_call_id: toolCallId(index - 1), content };
}

/** Tokens of the model's reasoning in a turn that calls a tool: half of what it writes. */
const reasoningPart = 0.5;

async function modelReply(
  shape: Shape,
  source: TextSource,
  tokenizer: Tokenizer,
  index: number,
): Promise<{ reply: ScriptedReply; completion: Completion }> {
  const stopToken = tokenizer.tokenId(endOfTurn);
  if (stopToken === undefined) throw new Error(`the tokenizer has no token ${endOfTurn}`);
  const callsTool = shape.toolResultTokens > 0;
  const reasoningTokens = callsTool ? Math.floor(shape.outputTokens * reasoningPart) : 0;
  // Qwen3 always writes its thinking marks, also when it does not think.
  const reasoning = callsTool ? await source.text("prose", reasoningTokens) : "";
  // Marks and JSON cost tokens too: what they cost is seen, then corrected.
  let textTokens = shape.outputTokens - reasoningTokens;
  for (;;) {
    const text = await source.text("prose", textTokens);
    const reply = callsTool
      ? { reasoning, toolCalls: [toolCall(index, text)] }
      : { reasoning, content: text };
    const completion = await complete(reply, tokenizer, stopToken, null);
    const surplus = completion.tokens.length - shape.outputTokens;
    if (surplus === 0 || textTokens <= surplus) return { reply, completion };
    textTokens -= surplus;
  }
}

function toolCall(index: number, text: string) {
  return {
    id: toolCallId(index),
    name: "run_command",
    // With the space that models put after a colon, and templates as well.
    arguments: `{"command": ${JSON.stringify(text)}}`,
  };
}

function toolCallId(index: number): string {
  return `call_${String(index).padStart(4, "0")}`;
}

/** What an OpenAI client keeps of a reply; templates cannot tell absent members from null ones. */
function replayedMessage(reply: ScriptedReply, index: number): Message {
  const { content = "", reasoning, toolCalls = [] } = reply;
  return {
    role: "assistant",
    content,
    ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
    ...(toolCalls.length === 0
      ? {}
      : {
          tool_calls: toolCalls.map((call) => ({
            id: call.id ?? toolCallId(index),
            type: "function",
            function: { name: call.name, arguments: call.arguments },
          })),
        }),
  };
}

/** Counts the tokens that each turn adds to a prompt, as the server under test will. */
class PromptCounter {
  readonly #tito: TitoTokenizer;
  readonly #tools: JsonValue;

  constructor(tito: TitoTokenizer, tools: readonly object[] | null) {
    this.#tito = tito;
    this.#tools = parseJson(JSON.stringify(tools));
  }

  async append(
    isFirst: boolean,
    previous: ConversationTurn | undefined,
    appended: readonly Message[],
  ): Promise<number> {
    if (isFirst || previous === undefined) {
      const messages = [systemMessage(0), ...appended].map(asJsonObject);
      const options = { addGenerationPrompt: true };
      return (await this.#tito.renderPrompt(messages, this.#tools, options)).length;
    }
    const { dropLast, tokens } = await this.#tito.appendTokens(
      [asJsonObject(previous.assistantMessage)],
      appended.map(asJsonObject),
      previous.completion.tokens.at(-1),
      this.#tools,
    );
    return tokens.length - dropLast;
  }
}

function asJsonObject(message: Message): JsonObject {
  return parseJson(JSON.stringify(message)) as JsonObject;
}
