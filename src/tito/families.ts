/**
 * The TITO families by the name that the command line gives them.
 */
import type { TitoFamily } from "../config.ts";
import { deepseekV32Family } from "./families/deepseekv32.ts";
import { defaultFamily } from "./families/default.ts";
import { qwen3Family } from "./families/qwen3.ts";
import type { TitoFamilyDefinition } from "./family.ts";

export const familyDefinitions: Record<TitoFamily, TitoFamilyDefinition> = {
  default: defaultFamily,
  qwen3: qwen3Family,
  deepseekv32: deepseekV32Family,
};
