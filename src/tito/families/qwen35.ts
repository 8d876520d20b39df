/**
 * Qwen3.5: joined like Qwen3, with a template of its own. A system message only stands at the
 * beginning, so none can be appended.
 */
import type { TitoFamilyDefinition } from "../family.ts";
import qwen35FixedTemplate from "../templates/qwen35-fixed.jinja" with { type: "text" };
import { qwen3Family } from "./qwen3.ts";

export const qwen35Family: TitoFamilyDefinition = {
  ...qwen3Family,
  className: "Qwen35TITOTokenizer",
  fixedTemplate: qwen35FixedTemplate,
  allowedAppendRoles: new Set(["tool", "user", "assistant"]),
};
