/**
 * MiniMax M2.5 and M2.7: one tokenizer and one template, which differ in the name that the model
 * gives itself. The model stops at [e~[, the template goes on with a line feed. The template leaves
 * system messages out that are not the first, so none can be appended.
 */
import type { TitoFamilyDefinition } from "../family.ts";
import minimaxFixedTemplate from "../templates/minimax-fixed.jinja" with { type: "text" };
import { defaultFamily } from "./default.ts";

const minimaxFamily: Omit<TitoFamilyDefinition, "className" | "fixedTemplate"> = {
  ...defaultFamily,
  requiredKwargs: new Map([["clear_thinking", false]]),
  allowedAppendRoles: new Set(["tool", "user", "assistant"]),
  boundary: { kind: "complete_line", endOfTurn: "[e~[" },
  assistantStart: "]~b]ai",
};

export const minimaxM25Family: TitoFamilyDefinition = {
  ...minimaxFamily,
  className: "MinimaxM25TITOTokenizer",
  fixedTemplate: templateOf("MiniMax-M2.5"),
};

export const minimaxM27Family: TitoFamilyDefinition = {
  ...minimaxFamily,
  className: "MinimaxM27TITOTokenizer",
  fixedTemplate: templateOf("MiniMax-M2.7"),
};

function templateOf(model: string): string {
  return `{%- set model_name = '${model}' %}\n${minimaxFixedTemplate}`;
}
