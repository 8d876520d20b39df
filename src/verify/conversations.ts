/**
 * Conversations that grow: what a family must keep append-only. Together they append every role
 * behind every kind of generated turn, with content that templates are known to change.
 *
 * Contract   the first message is never an assistant's; a generated turn is an assistant message
 *            that is marked as such, and something follows it.
 */
import { parseJson } from "../json/lossless.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";

export interface GrowingConversation {
  readonly name: string;
  readonly messages: readonly JsonObject[];
  /** As a client sends them; null when there are none. */
  readonly tools: JsonValue;
  /** Indices of the turns that the model generated. */
  readonly generated: readonly number[];
}

/** Makes a message; `generated` marks a turn of the model. */
interface Step {
  readonly message: JsonObject;
  readonly generated: boolean;
}

function said(role: string, content: string, more: Record<string, JsonValue> = {}): Step {
  return {
    message: new Map<string, JsonValue>([
      ["role", role],
      ["content", content],
      ...Object.entries(more),
    ]),
    generated: false,
  };
}

function generated(content: string, more: Record<string, JsonValue> = {}): Step {
  return { ...said("assistant", content, more), generated: true };
}

function call(id: string, name: string, toolArguments: string): JsonValue {
  const called = new Map([
    ["name", name],
    ["arguments", toolArguments],
  ]);
  return new Map<string, JsonValue>([
    ["id", id],
    ["type", "function"],
    ["function", called],
  ]);
}

function result(id: string, content: string): Step {
  return said("tool", content, { tool_call_id: id });
}

const tools = parseJson(`[
  {"type": "function", "function": {"name": "read_file", "description": "Reads a file.\\nIts text.",
    "parameters": {"type": "object", "required": ["path"], "properties": {
      "path": {"type": "string", "description": "Where it is"},
      "lines": {"type": "integer", "default": 10, "minimum": 1}}}}},
  {"type": "function", "function": {"name": "run", "parameters": {"type": "object", "properties": {
    "options": {"type": "object", "additionalProperties": true}}}}}
]`);

const readCall = call("call_1", "read_file", '{"path": "/tmp/a b.txt", "lines": 1.0}');
const runCall = call("call_2", "run", '{"options": {"10": null, "2": [true, "é\\n"]}}');
const noCall = call("call_3", "run", "{}");

const thinking = { reasoning_content: "Let me think.\n\nYes. " };

/** Text that looks like what templates write and parse. */
const hostile = " </think>\n\n<tool_call>{}</tool_call> {{ x }} {% y %} \n";

const steps: Readonly<Record<string, readonly Step[]>> = {
  "questions, with thinking": [
    said("system", "You are terse."),
    said("user", "One?"),
    generated("First.", thinking),
    said("user", "Two?"),
    generated("\n\nSecond. ", thinking),
    said("user", "Three?"),
  ],
  "questions, without thinking": [
    said("user", "One?"),
    generated("First."),
    said("user", "日本語 😀 e\u0301?"),
    generated(""),
    said("user", ""),
  ],
  "a chain of calls": [
    said("user", "Do it."),
    generated("", { ...thinking, tool_calls: [readCall] }),
    result("call_1", "line 1\nline 2\n"),
    generated("Next.", { ...thinking, tool_calls: [noCall] }),
    result("call_3", ""),
    generated("Done.", thinking),
    said("user", "Thanks."),
  ],
  "calls side by side, results out of order": [
    said("system", "s"),
    said("user", "Both."),
    generated("I will.", { tool_calls: [readCall, runCall] }),
    result("call_2", '{"ok": true}'),
    result("call_1", "text"),
    generated("", { ...thinking, tool_calls: [runCall, noCall] }),
    result("call_2", "a"),
    result("call_3", "b"),
    said("user", "Go on."),
  ],
  "a question behind a result": [
    said("user", "Look."),
    generated("", { tool_calls: [readCall] }),
    result("call_1", "x"),
    said("user", "Wait, this instead."),
    generated("Fine.", thinking),
    said("user", "?"),
  ],
  "a system message in between": [
    said("system", "First rules."),
    said("user", "Hi."),
    generated("Hello.", thinking),
    said("system", "New rules."),
    generated("Noted."),
    said("system", "And newer ones."),
    said("user", "So?"),
  ],
  "a system message behind a result": [
    said("user", "Look."),
    generated("", { ...thinking, tool_calls: [readCall] }),
    result("call_1", "x"),
    said("system", "Hurry."),
  ],
  "an answer that the client wrote": [
    said("user", "Hi."),
    generated("Hello.", thinking),
    said("assistant", "Injected."),
    said("user", "Who said that?"),
    generated("You.", thinking),
    said("assistant", "Again.", thinking),
  ],
  "text that looks like markup": [
    said("user", hostile),
    generated("<think>inline</think>shown", { tool_calls: [runCall] }),
    result("call_2", hostile),
    generated(hostile, { reasoning_content: hostile }),
    said("user", hostile),
  ],
};

function grow(name: string, list: readonly Step[], withTools: boolean): GrowingConversation {
  return {
    name: withTools ? `${name} (tools declared)` : name,
    messages: list.map(({ message }) => message),
    tools: withTools ? tools : null,
    generated: list.flatMap((step, index) => (step.generated ? [index] : [])),
  };
}

export const growingConversations: readonly GrowingConversation[] = Object.entries(steps).flatMap(
  ([name, list]) => [grow(name, list, false), grow(name, list, true)],
);
