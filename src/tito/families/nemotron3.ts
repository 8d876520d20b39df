/**
 * NVIDIA Nemotron 3: the checkpoint's own ChatML, which keeps the thinking of earlier turns when it
 * is told to.
 */
import type { TitoFamilyDefinition } from "../family.ts";
import { defaultFamily } from "./default.ts";

export const nemotron3Family: TitoFamilyDefinition = {
  ...defaultFamily,
  className: "Nemotron3TITOTokenizer",
  requiredKwargs: new Map([["truncate_history_thinking", false]]),
  boundary: { kind: "complete_line", endOfTurn: "<|im_end|>" },
  assistantStart: "<|im_start|>assistant\n",
};
