/**
 * The demo's stand-in for a language model: it reads the conversation and says what a model would
 * do next. The mock engine turns that into tokens.
 *
 * Contract   looks at nothing but the messages, as a model does.
 */
import type { ChatMessage, ChatTurn, ScriptedReply } from "../../src/mock-engine/script.ts";

export const invoiceTask = (client: string): string =>
  `Add up the invoices of ${client}. They are in the directory "invoices".`;

export const taxTask = "Now add 19 % value-added tax, please.";

interface FinishedCall {
  readonly name: string;
  readonly argument: string;
  readonly result: string;
}

export function nextReply(turn: ChatTurn): ScriptedReply {
  const lastTask = turn.messages.findLastIndex((message) => message.role === "user");
  const calls = finishedCalls(turn.messages.slice(lastTask + 1));
  const isTaxTask = turn.messages[lastTask]?.content === taxTask;
  return isTaxTask ? addTax(turn.messages, calls) : addInvoices(calls);
}

function addInvoices(calls: readonly FinishedCall[]): ScriptedReply {
  const listing = calls.find((call) => call.name === "list_files");
  if (listing === undefined) {
    return act("I need to know which invoices there are.", "Let me see what is there.", [
      ["list_files", { directory: "invoices" }],
    ]);
  }
  const read = calls.filter((call) => call.name === "read_file");
  const unread = listing.result.split("\n").slice(read.length);
  const [next, ...others] = unread;
  // The last two are read at once: parallel tool calls are part of the protocol.
  if (next !== undefined && others.length === 1) {
    return act("Two are left, I can read both.", "", [
      ["read_file", { path: next }],
      ["read_file", { path: others[0] ?? "" }],
    ]);
  }
  if (next !== undefined) {
    return act(`${unread.length} invoices to go; next is ${next}.`, "", [
      ["read_file", { path: next }],
    ]);
  }
  const sum = calls.find((call) => call.name === "calculate");
  if (sum === undefined) {
    const amounts = read.map((call) => /Total: ([\d.]+)/.exec(call.result)?.[1] ?? "0");
    return act("I have all totals. I should not add them in my head.", "Adding up.", [
      ["calculate", { expression: amounts.join(" + ") }],
    ]);
  }
  return say("That is the answer.", `The invoices add up to ${sum.result} EUR.`);
}

function addTax(messages: readonly ChatMessage[], calls: readonly FinishedCall[]): ScriptedReply {
  const gross = calls.find((call) => call.name === "calculate");
  if (gross !== undefined) {
    return say("Done.", `With tax that is ${gross.result} EUR.`);
  }
  const answer = messages.findLast((message) => message.role === "assistant")?.content;
  const net = /([\d.]+) EUR/.exec(String(answer))?.[1] ?? "0";
  return act(`19 % more than ${net} is ${net} times 1.19.`, "", [
    ["calculate", { expression: `${net} * 1.19` }],
  ]);
}

function act(
  reasoning: string,
  content: string,
  calls: readonly (readonly [name: string, values: Record<string, string>])[],
): ScriptedReply {
  const toolCalls = calls.map(([name, values]) => ({ name, arguments: spacedJson(values) }));
  return { reasoning, content, toolCalls };
}

/** With the spaces that models put after colons. */
function spacedJson(values: Record<string, string>): string {
  const members = Object.entries(values).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{${members.join(", ")}}`;
}

function say(reasoning: string, content: string): ScriptedReply {
  return { reasoning, content };
}

/** The tool calls that were answered, in order: results follow their calls one by one. */
function finishedCalls(messages: readonly ChatMessage[]): FinishedCall[] {
  const called = messages.flatMap((message) => (message["tool_calls"] ?? []) as ToolCall[]);
  const results = messages.filter((message) => message.role === "tool");
  return results.map((result, index) => {
    const { name = "", arguments: text = "{}" } = called[index]?.function ?? {};
    const [argument = ""] = Object.values(JSON.parse(text) as Record<string, string>);
    return { name, argument, result: String(result.content) };
  });
}

interface ToolCall {
  readonly function: { readonly name: string; readonly arguments: string };
}
