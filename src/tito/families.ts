/**
 * The TITO families by the name that the command line gives them.
 */
import type { TitoFamily } from "../config.ts";
import { deepseekV4Family } from "./families/deepseekv4.ts";
import { deepseekV32Family } from "./families/deepseekv32.ts";
import { defaultFamily } from "./families/default.ts";
import { glm47Family } from "./families/glm47.ts";
import { kimi25Family } from "./families/kimi25.ts";
import { kimi26Family } from "./families/kimi26.ts";
import { minimaxM25Family, minimaxM27Family } from "./families/minimax.ts";
import { nemotron3Family } from "./families/nemotron3.ts";
import { qwen3Family } from "./families/qwen3.ts";
import { qwen35Family } from "./families/qwen35.ts";
import { qwenNextFamily } from "./families/qwennext.ts";
import type { TitoFamilyDefinition } from "./family.ts";

export const familyDefinitions: Record<TitoFamily, TitoFamilyDefinition> = {
  default: defaultFamily,
  qwen3: qwen3Family,
  qwen35: qwen35Family,
  qwennext: qwenNextFamily,
  glm47: glm47Family,
  nemotron3: nemotron3Family,
  kimi25: kimi25Family,
  kimi26: kimi26Family,
  minimax_m25: minimaxM25Family,
  minimax_m27: minimaxM27Family,
  deepseekv32: deepseekV32Family,
  deepseekv4: deepseekV4Family,
};
