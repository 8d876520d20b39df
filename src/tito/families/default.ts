/**
 * Any checkpoint with its own template: append-only as far as that template is.
 */
import { dummyConversation } from "../append-base.ts";
import { allAppendRoles, noKwargs, type TitoFamilyDefinition } from "../family.ts";

export const defaultFamily: TitoFamilyDefinition = {
  className: "TITOTokenizer",
  fixedTemplate: null,
  requiredKwargs: noKwargs,
  kwargAliases: [],
  completeKwargs: (kwargs) => kwargs,
  allowedAppendRoles: allAppendRoles,
  appendBase: dummyConversation,
  boundary: { kind: "concatenate" },
  trailingTokens: [],
  segments: { kind: "special_tokens", except: [] },
  assistantStart: null,
};
