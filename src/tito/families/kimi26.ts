/**
 * Kimi K2.6: the checkpoint's own template, which keeps the thinking of earlier turns when it is
 * told to. <|im_middle|> stands between a role and its text: it starts no segment.
 */
import type { TitoFamilyDefinition } from "../family.ts";
import { defaultFamily } from "./default.ts";

export const kimi26Family: TitoFamilyDefinition = {
  ...defaultFamily,
  className: "Kimi26TITOTokenizer",
  requiredKwargs: new Map([["preserve_thinking", true]]),
  segments: { kind: "special_tokens", except: ["<|im_middle|>"] },
  assistantStart: "<|im_assistant|>",
};
