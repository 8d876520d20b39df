/**
 * GLM-4.7: <|user|> and <|observation|> stop a turn and open the next message. Whichever the model
 * ended with is dropped, since what follows opens itself.
 */
import type { TitoFamilyDefinition } from "../family.ts";
import { defaultFamily } from "./default.ts";

export const glm47Family: TitoFamilyDefinition = {
  ...defaultFamily,
  className: "GLM47TITOTokenizer",
  requiredKwargs: new Map([["clear_thinking", false]]),
  boundary: { kind: "drop_opener", openers: ["<|user|>", "<|observation|>"] },
  assistantStart: "<|assistant|>",
};
