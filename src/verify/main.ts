/**
 * `session-server verify`: whether a family keeps the conversations of a checkpoint append-only and
 * tokenizes them as the checkpoint's own render does.
 *
 * Contract   the report goes to `output`. Nothing is served and no backend is asked.
 */
import type { ServerConfig } from "../config.ts";
import { familyDefinitions } from "../tito/families.ts";
import { parseConfiguredKwargs } from "../tito/template-kwargs.ts";
import { createTitoTokenizer } from "../tito/tito-tokenizer.ts";
import { turnEnds } from "../tito/turn-ends.ts";
import { loadCheckpoint } from "../tokenizer/checkpoint.ts";
import { growingConversations } from "./conversations.ts";
import { type CheckedTurn, isFault, reportText } from "./report.ts";
import { checkTurn } from "./turn-check.ts";

export type VerificationConfig = Pick<
  ServerConfig,
  "hfCheckpoint" | "titoModel" | "chatTemplatePath" | "chatTemplateKwargs" | "tokenizer"
>;

/**
 * @returns whether it holds
 * @throws UsageError when family, checkpoint and kwargs do not fit together
 */
export async function verifyFamily(
  config: VerificationConfig,
  output: (text: string) => void,
): Promise<boolean> {
  const { hfCheckpoint, titoModel, chatTemplatePath, tokenizer } = config;
  const checkpoint = await loadCheckpoint(hfCheckpoint, { chatTemplatePath, tokenizer });
  const chatTemplateKwargs = parseConfiguredKwargs(config.chatTemplateKwargs);
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
