import { expect, test } from "bun:test";
import { standInCall } from "../../src/protocols/stand-in-calls.ts";
import { call, jsonObject, turnId } from "./answers.ts";

const reply = jsonObject({
  role: "assistant",
  tool_calls: [call("f", "{}", null), call("g", "{}", null)],
});
const earlier = { messagesThrough: (id: string) => (id === turnId ? [reply] : null) };

test("standInCall() is the stored call of that turn, place and name", () => {
  const stored = reply.get("tool_calls");
  const [, second] = Array.isArray(stored) ? stored : [];
  expect(standInCall(`call_${turnId}_1`, "g", earlier)).toBe(second as never);
});

test.each([
  [`call_${turnId}_0`, "g"],
  [`call_${turnId}_2`, "g"],
  [`call_${"0".repeat(32)}_1`, "g"],
  ["call_7", "g"],
  [`call_${turnId}`, "g"],
])("standInCall() knows no %s of %s", (id, name) => {
  expect(standInCall(id, name, earlier)).toBeNull();
});
