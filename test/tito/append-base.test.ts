import { expect, test } from "bun:test";
import { dummyConversation, latestTurns } from "../../src/tito/append-base.ts";
import { object, objects } from "../fixtures/json.ts";

test("dummyConversation() keeps the stored calls and nothing else of the turn", () => {
  const stored = objects(`[{"role": "user", "content": "q"}, {"role": "assistant",
    "content": "a", "reasoning_content": "t", "tool_calls": [{"id": "c"}]}]`);
  expect(dummyConversation(stored)).toEqual([
    object('{"role": "system", "content": "dummy system"}'),
    object(`{"role": "assistant", "content": "", "reasoning_content": " ",
      "tool_calls": [{"id": "c"}]}`),
  ]);
  const plain = dummyConversation(objects('[{"role": "assistant", "tool_calls": null}]'));
  expect(plain[1]?.get("tool_calls")).toEqual([]);
});

test("latestTurns() are the stored turn and the latest calls, without what else their turn says", () => {
  const [question, caller, answer] = objects(`[{"role": "user"},
    {"role": "assistant", "tool_calls": [{"id": "c"}]}, {"role": "assistant"}]`);
  const withTask = new Map(caller).set("task", "title");
  expect(latestTurns([question, withTask, answer] as never)).toEqual([caller, answer] as never);
  expect(latestTurns([question, caller] as never)).toEqual([caller] as never);
  expect(latestTurns([question, answer] as never)).toEqual([answer] as never);
  expect(latestTurns([])).toEqual([]);
});
