/**
 * DeepSeek V4: as V3.2, with an encoder that merges tool results and user messages into one turn
 * and has no place for a system message but the first. What opens an answer does not count at the
 * end.
 */
import { latestTurns } from "../append-base.ts";
import { assistantMarker, thinkingEnd, thinkingStart } from "../deepseek/markers.ts";
import type { TitoFamilyDefinition } from "../family.ts";
import { deepseekV32Family } from "./deepseekv32.ts";

export const deepseekV4Family: TitoFamilyDefinition = {
  ...deepseekV32Family,
  className: "DeepSeekV4TITOTokenizer",
  allowedAppendRoles: new Set(["tool", "user", "assistant"]),
  appendBase: latestTurns,
  trailingTokens: [assistantMarker, thinkingStart, thinkingEnd],
};
