/**
 * Qwen3-Thinking-2507 and Qwen3-Next-Thinking: Qwen3 that always thinks, so that the generation
 * prompt opens the thinking block.
 */
import type { TitoFamilyDefinition } from "../family.ts";
import qwen3Messages from "../templates/qwen3-messages.jinja" with { type: "text" };
import thinkingOpener from "../templates/qwen3-thinking-opener.jinja" with { type: "text" };
import { qwen3Family } from "./qwen3.ts";

export const qwenNextFamily: TitoFamilyDefinition = {
  ...qwen3Family,
  className: "QwenNextTITOTokenizer",
  fixedTemplate: qwen3Messages + thinkingOpener,
};
