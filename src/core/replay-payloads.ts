/**
 * Whether a reply holds the replay payloads that were asked for. A backend that was started without
 * them answers all the same, and the training would find out when the run is over.
 *
 * Reports    UpstreamError that names the payload and the backend's flag.
 */
import { UpstreamError } from "../errors.ts";
import type { StrippedMember } from "../json/span-members.ts";
import type { ReplayPayloadName } from "../json/span-stream.ts";
import type { ReplayFlags } from "./chat-request.ts";

/** JSON text of no payload: null, "", [], {}. The shortest payload is longer. */
const emptyPayloadBytesMax = 4;

/** SGLang's switch for each. */
const backendFlags: Readonly<Record<ReplayPayloadName, string>> = {
  routed_experts: "--enable-return-routed-experts",
  indexer_topk: "--enable-return-indexer-topk",
};

/** @param members the payloads that the reply had */
export function requireReplayPayloads(
  members: readonly StrippedMember[],
  replay: ReplayFlags,
): void {
  if (replay.routedExperts) requirePayload(members, "routed_experts");
  if (replay.indexerTopk) requirePayload(members, "indexer_topk");
}

function requirePayload(members: readonly StrippedMember[], name: ReplayPayloadName): void {
  const isThere = members.some(
    (member) =>
      member.choiceIndex === 0 && member.name === name && member.valueBytes > emptyPayloadBytesMax,
  );
  if (isThere) return;
  throw new UpstreamError(
    `the reply has no meta_info.${name}, which this server asks for with every turn: start the ` +
      `backend with ${backendFlags[name]}, or this server without asking`,
  );
}
