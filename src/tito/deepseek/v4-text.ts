/**
 * Texts of DeepSeek V4's prompt format alone, as the model was trained on them.
 */
import { dsml, thinkingEnd, thinkingStart } from "./markers.ts";

export const latestReminderMarker = "<｜latest_reminder｜>";

/** What asks for the answer to a classification task, by the name of the task. */
export const taskMarkers: ReadonlyMap<string, string> = new Map(
  ["action", "query", "authority", "domain", "title", "read_url"].map((task) => [
    task,
    `<｜${task}｜>`,
  ]),
);

/** Stands before everything when reasoning_effort is "max". */
export const maximumEffort =
  "Reasoning Effort: Absolute maximum with no shortcuts permitted.\n" +
  "You MUST be very thorough in your thinking and comprehensively decompose the problem to " +
  "resolve the root cause, rigorously stress-testing your logic against all potential paths, " +
  "edge cases, and adversarial scenarios.\n" +
  "Explicitly write out your entire deliberation process, documenting every intermediate step, " +
  "considered alternative, and rejected hypothesis to ensure absolutely no assumption is left " +
  "unchecked.\n\n";

/** The block that describes the tools; `schemas` holds one JSON schema a line. */
export function toolsBlock(schemas: string): string {
  return `## Tools

You have access to a set of tools to help answer the user's question. \
You can invoke tools by writing a "<${dsml}tool_calls>" block like the following:

<${dsml}tool_calls>
<${dsml}invoke name="$TOOL_NAME">
<${dsml}parameter name="$PARAMETER_NAME" string="true|false">$PARAMETER_VALUE</${dsml}parameter>
...
</${dsml}invoke>
<${dsml}invoke name="$TOOL_NAME2">
...
</${dsml}invoke>
</${dsml}tool_calls>

String parameters should be specified as is and set \`string="true"\`. For all other types \
(numbers, booleans, arrays, objects), pass the value in JSON format and set \`string="false"\`.

If thinking_mode is enabled (triggered by ${thinkingStart}), you MUST output your complete \
reasoning inside ${thinkingStart}...${thinkingEnd} BEFORE any tool calls or final response.

Otherwise, output directly after ${thinkingEnd} with tool calls or final response.

### Available Tool Schemas

${schemas}

You MUST strictly follow the above defined tool name and parameter schemas to invoke tool calls.
`;
}

export function toolCallsElement(invocations: string): string {
  return `<${dsml}tool_calls>\n${invocations}\n</${dsml}tool_calls>`;
}

export function toolResultElement(content: string): string {
  return `<tool_result>${content}</tool_result>`;
}
