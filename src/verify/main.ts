/**
 * `session-server verify`: whether a family keeps the conversations of a checkpoint append-only and
 * tokenizes them as the checkpoint's own render does.
 *
 * Contract   the report goes to `output`. Nothing is served and no backend is asked.
 */
import type { ServerConfig } from "../config.ts";
import { InvalidRequestError } from "../errors.ts";
import { parseJson } from "../json/lossless.ts";
import type { JsonObject } from "../json/values.ts";
import { familyDefinitions } from "../tito/families.ts";
import { createTitoTokenizer } from "../tito/tito-tokenizer.ts";
import { turnEnds } from "../tito/turn-ends.ts";
import { loadCheckpoint } from "../tokenizer/checkpoint.ts";
import { CheckpointError } from "../tokenizer/checkpoint-error.ts";
import { growingConversations } from "./conversations.ts";
import { type CheckedTurn, isFault, reportText } from "./report.ts";
import { checkTurn } from "./turn-check.ts";

export type VerificationConfig = Pick<
  ServerConfig,
  "hfCheckpoint" | "titoModel" | "chatTemplatePath" | "chatTemplateKwargs" | "tokenizer"
>;

export type Verification =
  | { readonly kind: "holds" }
  | { readonly kind: "fails" }
  /** Family, checkpoint and kwargs do not fit together. */
  | { readonly kind: "impossible"; readonly reason: string };

export async function verifyFamily(
  config: VerificationConfig,
  output: (text: string) => void,
): Promise<Verification> {
  try {
    return { kind: (await holds(config, output)) ? "holds" : "fails" };
  } catch (error) {
    if (!(error instanceof CheckpointError) && !(error instanceof InvalidRequestError)) throw error;
    return { kind: "impossible", reason: error.message };
  }
}

async function holds(config: VerificationConfig, output: (text: string) => void): Promise<boolean> {
  const { hfCheckpoint, titoModel, chatTemplatePath, tokenizer } = config;
  const checkpoint = await loadCheckpoint(hfCheckpoint, { chatTemplatePath, tokenizer });
  const chatTemplateKwargs = parseJson(config.chatTemplateKwargs) as JsonObject;
  const family = {
    tito: createTitoTokenizer({ family: titoModel, checkpoint, chatTemplateKwargs }),
    tokenizer: checkpoint.tokenizer,
    ends: turnEnds(familyDefinitions[titoModel], checkpoint),
  };
  const turns: CheckedTurn[] = [];
  for (const conversation of growingConversations) {
    for (const turn of conversation.generated) {
      turns.push({ conversation, turn, finding: await checkTurn(family, conversation, turn) });
    }
  }
  output(reportText(`family ${titoModel} on checkpoint ${checkpoint.name}`, turns));
  return !turns.some(({ finding }) => isFault(finding));
}
