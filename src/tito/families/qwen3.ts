/**
 * Qwen3: the model stops at <|im_end|>, the template goes on with a line feed.
 */
import type { TitoFamilyDefinition } from "../family.ts";
import qwen3Messages from "../templates/qwen3-messages.jinja" with { type: "text" };
import qwen3Opener from "../templates/qwen3-opener.jinja" with { type: "text" };
import { defaultFamily } from "./default.ts";

export const qwen3Family: TitoFamilyDefinition = {
  ...defaultFamily,
  className: "Qwen3TITOTokenizer",
  fixedTemplate: qwen3Messages + qwen3Opener,
  requiredKwargs: new Map([["clear_thinking", false]]),
  boundary: { kind: "complete_line", endOfTurn: "<|im_end|>" },
  assistantStart: "<|im_start|>assistant",
};
