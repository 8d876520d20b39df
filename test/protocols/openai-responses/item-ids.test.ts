import { expect, test } from "bun:test";
import {
  callItemId,
  messageId,
  readItemId,
  readResponseId,
  reasoningId,
  responseId,
} from "../../../src/protocols/openai-responses/item-ids.ts";
import { turnId } from "../answers.ts";

test.each([
  [reasoningId(turnId), { kind: "reasoning", turnId, index: 0 }],
  [messageId(turnId), { kind: "message", turnId, index: 0 }],
  [callItemId("fc", turnId, 12), { kind: "call", turnId, index: 12 }],
  [callItemId("lsh", turnId, 1), { kind: "call", turnId, index: 1 }],
] as const)("readItemId() undoes %s", (id, reference) => {
  expect(readItemId(id)).toEqual(reference);
});

test.each(["", "msg_1", `resp_${turnId}`, `msg_${turnId}x`, `xx_${turnId}`, `msg_${turnId}_`])(
  "readItemId() knows no %j",
  (id) => {
    expect(readItemId(id)).toBeNull();
  },
);

test("readResponseId() undoes responseId()", () => {
  expect(readResponseId(responseId(turnId))).toBe(turnId);
  expect(readResponseId(messageId(turnId))).toBeNull();
});
