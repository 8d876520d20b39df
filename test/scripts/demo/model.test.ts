import { expect, test } from "bun:test";
import { invoiceTask, nextReply, taxTask } from "../../../scripts/demo/model.ts";
import {
  callTool,
  formatCents,
  grossAmount,
  makeWorkspace,
  workspaceCount,
} from "../../../scripts/demo/workspace.ts";
import type { ChatMessage } from "../../../src/mock-engine/script.ts";

test("nextReply() solves every workspace's tasks with the tools, in six turns and more", () => {
  for (let agentIndex = 0; agentIndex < workspaceCount; agentIndex += 1) {
    const workspace = makeWorkspace(agentIndex);
    const messages: ChatMessage[] = [{ role: "user", content: invoiceTask(workspace.client) }];
    const answers: string[] = [];
    let turns = 0;
    while (answers.length < 2 && turns < 30) {
      const reply = nextReply({ messages, turnIndex: turns, routingKey: "" });
      turns += 1;
      messages.push({
        role: "assistant",
        content: reply.content,
        tool_calls: reply.toolCalls?.map((call) => ({ function: call })),
      });
      for (const call of reply.toolCalls ?? []) {
        const content = callTool(workspace, call.name, call.arguments);
        messages.push({ role: "tool", content });
      }
      if (reply.toolCalls !== undefined) continue;
      answers.push(reply.content ?? "");
      messages.push({ role: "user", content: taxTask });
    }
    expect(answers[0]).toContain(formatCents(workspace.totalCents));
    expect(answers[1]).toContain(grossAmount(workspace));
    expect(turns).toBeGreaterThanOrEqual(7);
  }
});

test("callTool() tells the model what it cannot do", () => {
  const workspace = makeWorkspace(0);
  expect(callTool(workspace, "read_file", '{"path": "x"}')).toBe("no such file: x");
  expect(callTool(workspace, "list_files", '{"directory": "x"}')).toBe("no files in x");
  expect(callTool(workspace, "calculate", '{"expression": "a + 1"}')).toContain("not a sum");
  expect(callTool(workspace, "fly", "{}")).toBe("no such tool: fly");
});
