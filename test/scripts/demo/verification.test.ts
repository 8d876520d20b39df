import { expect, test } from "bun:test";
import { type SessionRecords, verifyRecords } from "../../../scripts/demo/verification.ts";

const rowBytes = 2;

function record(prompt: number[], completion: number[]) {
  const rows = prompt.length + completion.length - 1;
  return {
    request: { input_ids: prompt },
    response: {
      choices: [
        {
          meta_info: {
            output_token_logprobs: completion.map((id) => [-1, id, null] as const),
            routed_experts: Buffer.alloc(rows * rowBytes).toString("base64"),
          },
        },
      ],
    },
  };
}

const sound: SessionRecords = {
  session_id: "s",
  records: [record([1, 2], [3]), record([1, 2, 3, 9, 4], [5, 6])],
  metadata: { accumulated_token_ids: [1, 2, 3, 9, 4, 5, 6] },
};

test("verifyRecords() accepts turns that extend each other", () => {
  expect(verifyRecords(sound, rowBytes)).toEqual({
    turns: 2,
    tokens: 7,
    hasExactPrefixes: true,
    replayBytesSent: 4 + 12,
    replayBytesDistinct: 12,
    problems: [],
  });
});

test("verifyRecords() sees a changed, a missing and a shorter prefix", () => {
  for (const prompt of [
    [1, 2, 8, 9, 4],
    [9, 4],
    [1, 2],
  ]) {
    const records = [record([1, 2], [3]), record(prompt, [5, 6])];
    const accumulated = [...prompt, 5, 6];
    const session = { ...sound, records, metadata: { accumulated_token_ids: accumulated } };
    const verification = verifyRecords(session, rowBytes);
    expect(verification.hasExactPrefixes).toBe(false);
    expect(verification.problems).toEqual(["turn 2 does not begin with the tokens of turn 1"]);
  }
});

test("verifyRecords() sees missing rows, wrong totals and reported mismatches", () => {
  expect(verifyRecords(sound, rowBytes + 1).problems).toHaveLength(2);
  const metadata = { accumulated_token_ids: [1], tito_session_mismatch: [{ type: "x" }] };
  expect(verifyRecords({ ...sound, metadata }, rowBytes).problems).toEqual([
    "accumulated_token_ids are not the tokens of the last turn",
    'the server reports a mismatch: {"type":"x"}',
  ]);
});
