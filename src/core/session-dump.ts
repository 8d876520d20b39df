/**
 * GET /sessions/{id}: a session's records, and what the trainer needs to know of its ids.
 *
 * Contract   the state of the moment when it was asked for. Without the lock: a turn that is being
 *            stored is in it as a whole or not at all.
 */
import { writeJson } from "../json/lossless.ts";
import type { JsonObject } from "../json/values.ts";
import { inlineReplyBytesMax } from "../limits.ts";
import type { Reply } from "../operation.ts";
import { dumpSession } from "../records/dump.ts";
import { readBody, type StreamBody } from "../stream-body.ts";
import type { Session } from "../trajectory/session.ts";
import type { MismatchReport, MismatchReports } from "./mismatch-reports.ts";

/** @param maxTrimTokens of the session's family */
export async function sessionDump(
  session: Session,
  reports: MismatchReports,
  maxTrimTokens: number,
): Promise<Reply> {
  // A copy: turns that are stored while the dump is read go on in the same memory.
  const idsText = session.trajectory.tokens.latestText().slice();
  const records = session.records.snapshot();
  let mismatch: MismatchReport;
  try {
    mismatch = await reports.of(session);
  } catch (error) {
    records.release();
    throw error;
  }
  const sessionMetadata = session.settings.metadata;
  const metadataJson = metadataPieces({ mismatch, idsText, maxTrimTokens, sessionMetadata });
  return {
    status: 200,
    headers: [["content-type", "application/json"]],
    body: await inlineIfSmall(dumpSession({ sessionId: session.id, records, metadataJson })),
  };
}

interface SessionMetadata {
  readonly mismatch: MismatchReport;
  /** Ids of the latest checkpoint: "1,2,3". */
  readonly idsText: Uint8Array;
  readonly maxTrimTokens: number;
  /** What the session was created with; null when nothing. */
  readonly sessionMetadata: JsonObject | null;
}

function metadataPieces(metadata: SessionMetadata): readonly Uint8Array[] {
  const { mismatch, idsText, maxTrimTokens, sessionMetadata } = metadata;
  const report = mismatch === null ? "" : `"tito_session_mismatch":${JSON.stringify(mismatch)},`;
  const given = sessionMetadata === null ? "" : `,"session_metadata":${writeJson(sessionMetadata)}`;
  return [
    Buffer.from(`{${report}"accumulated_token_ids":[`),
    idsText,
    Buffer.from(`],"max_trim_tokens":${maxTrimTokens}${given}}`),
  ];
}

/** A small body is sent as a whole, with its length; only a large one is worth a stream. */
async function inlineIfSmall(body: StreamBody): Promise<Uint8Array | StreamBody> {
  if (body.byteLength === null || body.byteLength > inlineReplyBytesMax) return body;
  return readBody(body.chunks);
}
