/**
 * The text that a Qwen model would emit for a reply, between the generation prompt and the stop
 * token: reasoning in think marks, then content, then one marked JSON object for each tool call.
 *
 * Contract   the layout is the one that Qwen3's chat template gives an assistant message, so that
 *            re-rendering a reply gives its text back.
 */
import type { ScriptedReply } from "./script.ts";

export function emittedText(reply: ScriptedReply): string {
  const content = reply.content ?? "";
  const thought = reply.reasoning === undefined ? "" : `<think>\n${reply.reasoning}\n</think>\n\n`;
  const calls = (reply.toolCalls ?? []).map((call) => {
    const object = `{"name": ${JSON.stringify(call.name)}, "arguments": ${call.arguments}}`;
    return `<tool_call>\n${object}\n</tool_call>`;
  });
  const separator = content !== "" && calls.length > 0 ? "\n" : "";
  return thought + content + separator + calls.join("\n");
}

/** What a server's parsers make of a text that was cut short: no call is complete. */
export function parseCutText(text: string): { content: string; reasoning: string | null } {
  if (!text.startsWith("<think>")) return { content: text, reasoning: null };
  const thought = text.slice("<think>".length);
  const end = thought.indexOf("</think>");
  if (end === -1) return { content: "", reasoning: thought.trim() };
  return {
    content: thought.slice(end + "</think>".length).trimStart(),
    reasoning: thought.slice(0, end).trim(),
  };
}
