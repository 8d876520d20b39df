/**
 * DeepSeek V3.2: rendered by the model's own encoder with every thinking block kept. Its role
 * markers are not special tokens, so they are named as the segment boundaries.
 */
import { assistantMarker, userMarker } from "../deepseek/markers.ts";
import { thinkingEnabled, thinkingModeKwargs } from "../deepseek/renderer.ts";
import type { TitoFamilyDefinition } from "../family.ts";
import { defaultFamily } from "./default.ts";

export const deepseekV32Family: TitoFamilyDefinition = {
  ...defaultFamily,
  className: "DeepSeekV32TITOTokenizer",
  requiredKwargs: new Map([["drop_thinking", false]]),
  kwargAliases: thinkingModeKwargs,
  // The backend's reasoning parser separates thinking only when it is asked for by this name.
  completeKwargs: (kwargs) => new Map(kwargs).set("thinking", thinkingEnabled(kwargs)),
  segments: { kind: "only", tokens: [userMarker, assistantMarker] },
  assistantStart: assistantMarker,
};
