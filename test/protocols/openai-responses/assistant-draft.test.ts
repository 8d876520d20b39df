import { describe, expect, test } from "bun:test";
import { AssistantDraft } from "../../../src/protocols/openai-responses/assistant-draft.ts";
import { call, jsonObject, plain } from "../answers.ts";

const user = jsonObject({ role: "user", content: "q" });
const result = (name: string) => jsonObject({ role: "tool", tool_call_id: name, content: "r" });
const f = jsonObject(call("f", "{}"));
const g = jsonObject(call("g", "{}"));

function drafted(add: (draft: AssistantDraft) => void): unknown {
  const draft = new AssistantDraft();
  add(draft);
  return plain(draft.messages());
}

describe("AssistantDraft", () => {
  test("puts the items of one reply together", () => {
    expect(
      drafted((draft) => {
        draft.addMessage(user);
        draft.addReasoning("why");
        draft.addContent("hi");
        draft.addCall(f, null);
        draft.addCall(g, null);
        draft.addResult(result("f"));
        draft.addResult(result("g"));
        draft.addContent("done");
      }),
    ).toEqual([
      plain(user),
      {
        role: "assistant",
        content: "hi",
        reasoning_content: "why",
        tool_calls: [plain(f), plain(g)],
      },
      plain(result("f")),
      plain(result("g")),
      { role: "assistant", content: "done" },
    ]);
  });

  test("begins a reply at a second text, and at reasoning after something else", () => {
    expect(
      drafted((draft) => {
        draft.addContent("a");
        draft.addContent("b");
        draft.addReasoning("why");
        draft.addReasoning(" so");
        draft.addContent("c");
      }),
    ).toEqual([
      { role: "assistant", content: "a" },
      { role: "assistant", content: "b" },
      { role: "assistant", content: "c", reasoning_content: "why so" },
    ]);
  });

  test("knows calls of one turn that results stand between", () => {
    const add = (turnIds: (string | null)[]) => (draft: AssistantDraft) => {
      draft.addCall(f, turnIds[0] ?? null);
      draft.addResult(result("f"));
      draft.addCall(g, turnIds[1] ?? null);
      draft.addResult(result("g"));
    };
    const together = [
      { role: "assistant", content: "", tool_calls: [plain(f), plain(g)] },
      plain(result("f")),
      plain(result("g")),
    ];
    expect(drafted(add(["t1", "t1"]))).toEqual(together);
    for (const turnIds of [
      ["t1", "t2"],
      [null, null],
      ["t1", null],
    ]) {
      expect(drafted(add(turnIds))).toHaveLength(4);
    }
  });

  test("does not reach over a message of the user", () => {
    const messages = drafted((draft) => {
      draft.addCall(f, "t1");
      draft.addMessage(user);
      draft.addCall(g, "t1");
    });
    expect(messages).toHaveLength(3);
  });
});
