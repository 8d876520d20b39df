// spec: miles, chat_template_utils/deepseek.py
/**
 * Renders conversations for checkpoints of model type deepseek_v32 and deepseek_v4 with the models'
 * own encoders.
 */

import { isTruthy } from "../../json/python-truth.ts";
import type { JsonObject, JsonValue } from "../../json/values.ts";
import type { ChatRenderer, RenderInput } from "../chat-renderer.ts";
import { normalizeMessages } from "../message-normalization.ts";
import { RenderError } from "../render-error.ts";
import { canonicalTools } from "../tool-definitions.ts";
import { assistantMarker, thinkingEnd, thinkingStart } from "./markers.ts";
import { encodeDeepseekV4 } from "./v4-encoder.ts";
import { encodeDeepseekV32 } from "./v32-encoder.ts";

/** Three names of one setting; a request that gives one of them replaces all of them. */
export const thinkingModeKwargs = ["thinking_mode", "enable_thinking", "thinking"] as const;

/** What sets one model's renderer apart. */
interface DeepseekFormat {
  /** For errors: "DeepSeek V4". */
  readonly name: string;
  /** Kwargs that the other one does not know. */
  readonly ownKwargs: readonly string[];
  /** What is wrong with kwargs of its own; null when they can be used. */
  readonly kwargsFault: (kwargs: JsonObject) => string | null;
  readonly encode: (messages: readonly JsonObject[], kwargs: JsonObject) => string;
  /** What the encoder appends after a last message of this role to start the answer. */
  readonly openerAfter: (role: JsonValue | undefined, bracket: string) => string;
}

const sharedKwargs = [...thinkingModeKwargs, "drop_thinking", "add_default_bos_token"];

export const deepseekV32Renderer = createDeepseekRenderer({
  name: "DeepSeek V3.2",
  ownKwargs: [],
  kwargsFault: () => null,
  encode: (messages, kwargs) => encodeDeepseekV32(messages, encoderOptions(kwargs)),
  openerAfter(role, bracket) {
    if (role === "user" || role === "developer") return assistantMarker + bracket;
    return role === "tool" ? `\n\n${bracket}` : "";
  },
});

const reasoningEfforts: readonly JsonValue[] = ["max", "high", null];

export const deepseekV4Renderer = createDeepseekRenderer({
  name: "DeepSeek V4",
  ownKwargs: ["reasoning_effort"],
  kwargsFault(kwargs) {
    const known = reasoningEfforts.includes(kwargs.get("reasoning_effort") ?? null);
    return known ? null : 'reasoning_effort must be "max", "high" or null';
  },
  encode: (messages, kwargs) =>
    encodeDeepseekV4(messages, {
      ...encoderOptions(kwargs),
      maximumEffort: kwargs.get("reasoning_effort") === "max",
    }),
  openerAfter(role, bracket) {
    const asks = role === "user" || role === "developer" || role === "tool";
    return asks ? assistantMarker + bracket : "";
  },
});

function createDeepseekRenderer(format: DeepseekFormat): ChatRenderer {
  const knownKwargs: ReadonlySet<string> = new Set([...sharedKwargs, ...format.ownKwargs]);
  return {
    validateKwargs(kwargs) {
      const unknown = [...kwargs.keys()].find((name) => !knownKwargs.has(name));
      if (unknown !== undefined) {
        throw new RenderError(
          null,
          `chat_template_kwargs.${unknown} is unknown to the ${format.name} encoder: ` +
            `it takes ${[...knownKwargs].join(", ")}`,
        );
      }
      const mode = thinkingMode(kwargs);
      const modeIsKnown = mode === "thinking" || mode === "chat";
      const modeFault = modeIsKnown ? null : 'thinking_mode must be "thinking" or "chat"';
      const fault = modeFault ?? format.kwargsFault(kwargs);
      if (fault !== null) throw new RenderError(null, `chat_template_kwargs.${fault}`);
    },

    render: (input) => render(format, input),
  };
}

function render(format: DeepseekFormat, input: RenderInput): string {
  const kwargs = input.chatTemplateKwargs;
  const tools = canonicalTools(input.tools, { wrapBareFunctions: false });
  const withTools = tools === null ? input.messages : injectTools(input.messages, tools);
  const inserted = withTools.length - input.messages.length;
  const rendered = atOriginalIndex(inserted, () =>
    format.encode(normalizeMessages(withTools, { parseArguments: false }), kwargs),
  );
  if (input.addGenerationPrompt) return rendered;
  const bracket = thinkingEnabled(kwargs) ? thinkingStart : thinkingEnd;
  const opener = format.openerAfter(input.messages.at(-1)?.get("role"), bracket);
  return rendered.endsWith(opener) ? rendered.slice(0, rendered.length - opener.length) : rendered;
}

function encoderOptions(kwargs: JsonObject) {
  const isOn = (name: string): boolean => {
    const value = kwargs.get(name);
    return value === undefined || isTruthy(value);
  };
  return {
    thinking: thinkingEnabled(kwargs),
    dropThinking: isOn("drop_thinking"),
    addBeginOfSentence: isOn("add_default_bos_token"),
  };
}

/** Whether kwargs resolve to thinking mode, which is the default. */
export function thinkingEnabled(kwargs: JsonObject): boolean {
  return thinkingMode(kwargs) === "thinking";
}

function thinkingMode(kwargs: JsonObject): JsonValue {
  const mode = kwargs.get("thinking_mode");
  if (mode !== undefined) return mode;
  for (const name of ["enable_thinking", "thinking"]) {
    const enabled = kwargs.get(name) ?? null;
    if (enabled !== null) return isTruthy(enabled) ? "thinking" : "chat";
  }
  return "thinking";
}

/** The encoder reads tools from the system message, which is put in front when there is none. */
function injectTools(messages: readonly JsonObject[], tools: JsonObject[]): JsonObject[] {
  const [first, ...rest] = messages;
  if (first?.get("role") === "system") return [new Map(first).set("tools", tools), ...rest];
  const system: JsonObject = new Map<string, JsonValue>([
    ["role", "system"],
    ["content", ""],
    ["tools", tools],
  ]);
  return [system, ...messages];
}

function atOriginalIndex(inserted: number, render: () => string): string {
  try {
    return render();
  } catch (error) {
    if (!(error instanceof RenderError) || error.messageIndex === null) throw error;
    throw new RenderError(error.messageIndex - inserted, error.message, { cause: error });
  }
}
