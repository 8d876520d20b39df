/**
 * Kimi K2.5: as K2.6, but its own template cannot keep the thinking of earlier turns.
 */
import type { TitoFamilyDefinition } from "../family.ts";
import kimi25FixedTemplate from "../templates/kimi25-fixed.jinja" with { type: "text" };
import { kimi26Family } from "./kimi26.ts";

export const kimi25Family: TitoFamilyDefinition = {
  ...kimi26Family,
  className: "Kimi25TITOTokenizer",
  fixedTemplate: kimi25FixedTemplate,
};
