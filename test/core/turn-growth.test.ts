/**
 * The work of a turn follows what the turn appends. Counted, not timed: 50 turns that append the
 * same are the same work, in every family.
 */
import { describe, expect, test } from "bun:test";
import type { ChatTemplate } from "../../src/chat-template/chat-template.ts";
import { type TitoFamily, titoFamilies } from "../../src/config.ts";
import { chatProtocol } from "../../src/core/chat-protocol.ts";
import { type PreparationRules, prepareTurn } from "../../src/core/turn-preparation.ts";
import { createTitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import type { Checkpoint } from "../../src/tokenizer/checkpoint.ts";
import { messageMatchers } from "../../src/trajectory/message-matcher.ts";
import { Session } from "../../src/trajectory/session.ts";
import { parseSessionSettings } from "../../src/trajectory/session-settings.ts";
import { familyCheckpoint } from "../fixtures/family-checkpoints.ts";

const turnCount = 50;

/** What the model ends a turn with; glm47's is dropped when the next message follows. */
const turnEnds: Record<TitoFamily, string> = {
  default: "<|im_end|>",
  qwen3: "<|im_end|>",
  qwen35: "<|im_end|>",
  qwennext: "<|im_end|>",
  glm47: "<|user|>",
  nemotron3: "<|im_end|>",
  kimi25: "<|im_end|>",
  kimi26: "<|im_end|>",
  minimax_m25: "[e~[",
  minimax_m27: "[e~[",
  deepseekv32: "<｜end▁of▁sentence｜>",
  deepseekv4: "<｜end▁of▁sentence｜>",
};

/** For families that are rendered with their checkpoint's own template. */
const plainTemplate =
  "{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}" +
  "{% if add_generation_prompt %}assistant: {% endif %}";

/** What was done with texts so far. */
class Work {
  renders = 0;
  renderedCharacters = 0;
  tokenizations = 0;
  tokenizedCharacters = 0;

  /** The checkpoint, with its template and its tokenizer watched. */
  watching(checkpoint: Checkpoint): Checkpoint {
    const { tokenizer, chatTemplate } = checkpoint;
    const count = (text: string): void => {
      this.tokenizations += 1;
      this.tokenizedCharacters += text.length;
    };
    return {
      ...checkpoint,
      chatTemplate: chatTemplate === null ? null : this.#watchingRenders(chatTemplate),
      tokenizer: {
        specialTokenIds: tokenizer.specialTokenIds,
        tokenId: (text) => tokenizer.tokenId(text),
        decode: (ids) => tokenizer.decode(ids),
        encode: (text) => {
          count(text);
          return tokenizer.encode(text);
        },
      },
    };
  }

  #watchingRenders(template: ChatTemplate): ChatTemplate {
    const work = this;
    return new Proxy(template, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...parameters: unknown[]) => {
          const result: unknown = value.apply(target, parameters);
          if (typeof result === "string") {
            work.renders += 1;
            work.renderedCharacters += result.length;
          }
          return result;
        };
      },
    });
  }
}

interface Turn {
  readonly renders: number;
  readonly renderedCharacters: number;
  readonly tokenizations: number;
  readonly tokenizedCharacters: number;
  /** Of the request's messages, parsed and kept as text. */
  readonly readCharacters: number;
  /** Messages that were matched by value and not by text. */
  readonly readMessages: number;
  /** Of the text of the prompt's ids. */
  readonly writtenBytes: number;
}

/** Runs turns that append the same each time. */
async function turnsOf(family: TitoFamily): Promise<{ turns: Turn[]; dropped: number }> {
  const work = new Work();
  const checkpoint = work.watching(familyCheckpoint(family, plainTemplate));
  const tito = createTitoTokenizer({ family, checkpoint, chatTemplateKwargs: new Map() });
  const rules: PreparationRules = {
    tito,
    messageMatcher: messageMatchers.strict,
    messageRules: { developerIsSystem: true, systemAnywhere: true },
    replay: { routedExperts: false, indexerTopk: false },
  };
  const session = new Session("s", parseSessionSettings(new Uint8Array(0)), tito.maxTrimTokens);
  const { trajectory } = session;
  const end = checkpoint.tokenizer.tokenId(turnEnds[family]) as number;
  const messages: object[] = [];
  const turns: Turn[] = [];
  let dropped = 0;
  for (let turn = 0; turn < turnCount; turn += 1) {
    messages.push({ role: "user", content: "what comes next?" });
    const before = { ...work };
    const stored = trajectory.messages;
    const body = Buffer.from(JSON.stringify({ model: "m", messages }));
    const prepared = await prepareTurn(session, chatProtocol, body, rules);
    if (prepared.kind !== "prompt") throw new Error("the session is full");
    const { plan, dropLast, addedTokens, request } = prepared;
    const [, written] = trajectory.tokens.promptText(plan.checkpointCount, dropLast, addedTokens);
    dropped += dropLast;
    turns.push({
      renders: work.renders - before.renders,
      renderedCharacters: work.renderedCharacters - before.renderedCharacters,
      tokenizations: work.tokenizations - before.tokenizations,
      tokenizedCharacters: work.tokenizedCharacters - before.tokenizedCharacters,
      readCharacters: request.messagesText.length,
      readMessages: request.messages.filter((one, index) => one !== stored[index]).length,
      writtenBytes: written?.length ?? 0,
    });
    const sent = JSON.parse(Buffer.from(prepared.upstreamBody.bytes).toString());
    expect(sent.messages).toEqual(messages);
    expect(sent.input_ids).toHaveLength(prepared.promptTokens);
    trajectory.commit(plan, {
      dropLast,
      tokens: [...addedTokens, 111, 110, 101, end],
      assistantMessage: new Map([
        ["role", "assistant"],
        ["content", "one"],
      ]),
      tools: { text: request.toolsText, value: request.tools },
      messagesText: request.messagesText,
      matchedSegments: prepared.matchedSegments,
    });
    messages.push({ role: "assistant", content: "one" });
  }
  return { turns, dropped };
}

describe("a turn is as much work as what it appends", () => {
  test.each(titoFamilies)("%s", async (family) => {
    const { turns, dropped } = await turnsOf(family);
    // The first turn has no history, and the second the first reply behind it.
    const [, , typical, ...later] = turns;
    for (const turn of later) expect(turn).toEqual(typical as Turn);
    // The new message, and the reply before it, which the client writes for the first time.
    expect(typical?.readMessages).toBe(2);
    expect(dropped).toBe(family === "glm47" ? turnCount - 1 : 0);
  });
});
