/**
 * What a trainer relies on, checked on the records of a session: tokens that were sampled stay as
 * they were sampled, and every token has its row of routed experts.
 */

/** The members of a record that the checks read. */
export interface SessionRecord {
  readonly request: { readonly input_ids: readonly number[] };
  readonly response: {
    readonly choices: readonly {
      readonly meta_info: {
        readonly output_token_logprobs: readonly (readonly [number, number, ...unknown[]])[];
        readonly routed_experts?: string;
      };
    }[];
  };
}

export interface SessionRecords {
  readonly session_id: string;
  readonly records: readonly SessionRecord[];
  readonly metadata: {
    readonly accumulated_token_ids: readonly number[];
    readonly tito_session_mismatch?: readonly unknown[];
  };
}

export interface Verification {
  readonly turns: number;
  /** Tokens of the whole session: the last prompt and the last completion. */
  readonly tokens: number;
  /** Each turn's prompt begins with the prompt and the completion of the turn before. */
  readonly hasExactPrefixes: boolean;
  /** Bytes of routed_experts that the backend sent in all turns. */
  readonly replayBytesSent: number;
  /** Bytes of routed_experts of the last turn, which holds the rows of all turns before. */
  readonly replayBytesDistinct: number;
  /** What is wrong, for people; empty when all is well. */
  readonly problems: readonly string[];
}

export function verifyRecords(session: SessionRecords, rowBytes: number): Verification {
  const problems: string[] = [];
  let stored: readonly number[] = [];
  let replayBytes = 0;
  let replayBytesSent = 0;
  let hasExactPrefixes = true;
  for (const [index, record] of session.records.entries()) {
    const prompt = record.request.input_ids;
    if (!startsWith(prompt, stored)) {
      hasExactPrefixes = false;
      problems.push(`turn ${index + 1} does not begin with the tokens of turn ${index}`);
    }
    const meta = record.response.choices[0]?.meta_info;
    stored = [...prompt, ...(meta?.output_token_logprobs ?? []).map(([, id]) => id)];
    const expectedBytes = (stored.length - 1) * rowBytes;
    replayBytes = Buffer.from(meta?.routed_experts ?? "", "base64").length;
    replayBytesSent += replayBytes;
    if (replayBytes !== expectedBytes) {
      problems.push(
        `turn ${index + 1} has ${replayBytes} bytes of routed_experts instead of ${expectedBytes}`,
      );
    }
  }
  const { accumulated_token_ids: accumulated, tito_session_mismatch: mismatch } = session.metadata;
  if (accumulated.length !== stored.length || !startsWith(accumulated, stored)) {
    problems.push("accumulated_token_ids are not the tokens of the last turn");
  }
  if (mismatch !== undefined && mismatch.length > 0) {
    problems.push(`the server reports a mismatch: ${JSON.stringify(mismatch[0])}`);
  }
  return {
    turns: session.records.length,
    tokens: stored.length,
    hasExactPrefixes,
    replayBytesSent,
    replayBytesDistinct: replayBytes,
    problems,
  };
}

function startsWith(tokens: readonly number[], prefix: readonly number[]): boolean {
  return prefix.every((id, index) => tokens[index] === id);
}
