import { expect, test } from "bun:test";
import {
  question,
  storedHistory,
  toolResult,
  wholeConversation,
} from "../../fixtures/conversation.ts";
import { familyOnTest } from "../../fixtures/family-checkpoints.ts";

const minimax = familyOnTest("minimax_m25");

function system(name: string): string {
  return (
    `]~!b[]~b]system\nYou are a helpful assistant. Your name is ${name} and is built by ` +
    "MiniMax.[e~[\n"
  );
}

test("minimax_m25 keeps the thinking of every turn", async () => {
  expect(await minimax.prompt(wholeConversation)).toBe(
    `${system("MiniMax-M2.5")}]~b]user\nq[e~[\n` +
      "]~b]ai\n<think>\nt\n</think>\n\na\n<minimax:tool_call>\n" +
      '<invoke name="f">\n<parameter name="x">1.0</parameter>\n' +
      '<parameter name="s">v</parameter>\n</invoke>\n</minimax:tool_call>[e~[\n' +
      "]~b]tool\n<response>r</response>[e~[\n" +
      "]~b]ai\n<think>\nu\n</think>\n\nb[e~[\n" +
      "]~b]user\nq[e~[\n]~b]ai\n<think>\n",
  );
});

test("minimax_m27 differs in the name that the model gives itself", async () => {
  expect(await familyOnTest("minimax_m27").prompt(`[${question}]`)).toStartWith(
    system("MiniMax-M2.7"),
  );
});

test("minimax_m25 completes the line that a turn ends, and appends no system message", async () => {
  expect(await minimax.appended(storedHistory, `[${toolResult}]`, "[e~[")).toBe(
    "[e~[\n]~b]tool\n<response>r</response>[e~[\n]~b]ai\n<think>\n",
  );
  expect([...minimax.tito.allowedAppendRoles]).toEqual(["tool", "user", "assistant"]);
});
