// spec: miles, chat_template_utils/deepseek.py
/**
 * Renders conversations for checkpoints of model type deepseek_v32 with the model's own encoder.
 */
import type { JsonObject, JsonValue } from "../json/values.ts";
import type { ChatRenderer, RenderInput } from "./chat-renderer.ts";
import { encodeDeepseekV32 } from "./deepseek-v32-encoder.ts";
import { assistantMarker, thinkingEnd, thinkingStart } from "./deepseek-v32-text.ts";
import { normalizeMessages } from "./message-normalization.ts";
import { isTruthy } from "./python-truth.ts";
import { RenderError } from "./render-error.ts";
import { canonicalTools } from "./tool-definitions.ts";

/** Three names of one setting; a request that gives one of them replaces all of them. */
export const thinkingModeKwargs = ["thinking_mode", "enable_thinking", "thinking"] as const;

const knownKwargs: ReadonlySet<string> = new Set([
  ...thinkingModeKwargs,
  "drop_thinking",
  "add_default_bos_token",
]);

export const deepseekV32Renderer: ChatRenderer = {
  validateKwargs(kwargs) {
    const unknown = [...kwargs.keys()].find((name) => !knownKwargs.has(name));
    if (unknown !== undefined) {
      throw new RenderError(
        null,
        `chat_template_kwargs.${unknown} is unknown to the DeepSeek V3.2 encoder: ` +
          `it takes ${[...knownKwargs].join(", ")}`,
      );
    }
    const mode = thinkingMode(kwargs);
    if (mode === "thinking" || mode === "chat") return;
    throw new RenderError(null, 'chat_template_kwargs.thinking_mode must be "thinking" or "chat"');
  },

  render(input: RenderInput): string {
    const kwargs = input.chatTemplateKwargs;
    const thinking = thinkingEnabled(kwargs);
    const dropThinking = kwargs.get("drop_thinking");
    const addBeginOfSentence = kwargs.get("add_default_bos_token");
    const tools = canonicalTools(input.tools, { wrapBareFunctions: false });
    const withTools = tools === null ? input.messages : injectTools(input.messages, tools);
    const inserted = withTools.length - input.messages.length;
    const rendered = atOriginalIndex(inserted, () =>
      encodeDeepseekV32(normalizeMessages(withTools, { parseArguments: false }), {
        thinking,
        dropThinking: dropThinking === undefined || isTruthy(dropThinking),
        addBeginOfSentence: addBeginOfSentence === undefined || isTruthy(addBeginOfSentence),
      }),
    );
    if (input.addGenerationPrompt) return rendered;
    const bracket = thinking ? thinkingStart : thinkingEnd;
    const opener = openerAfter(input.messages.at(-1)?.get("role"), bracket);
    return rendered.endsWith(opener)
      ? rendered.slice(0, rendered.length - opener.length)
      : rendered;
  },
};

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

/** What the encoder appends after a last message of this role to start the answer. */
function openerAfter(role: JsonValue | undefined, bracket: string): string {
  if (role === "user" || role === "developer") return assistantMarker + bracket;
  return role === "tool" ? `\n\n${bracket}` : "";
}
