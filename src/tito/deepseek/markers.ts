/**
 * Texts that the prompt formats of DeepSeek V3.2 and V4 share, as the models were trained on them.
 */

export const beginOfSentence = "<｜begin▁of▁sentence｜>";
export const endOfSentence = "<｜end▁of▁sentence｜>";
export const userMarker = "<｜User｜>";
export const assistantMarker = "<｜Assistant｜>";
export const thinkingStart = "<think>";
export const thinkingEnd = "</think>";

/** Begins the name of every element that a tool call consists of. */
export const dsml = "｜DSML｜";

export function responseFormatBlock(schema: string): string {
  return (
    "## Response Format:\n\n" +
    `You MUST strictly adhere to the following schema to reply:\n${schema}`
  );
}

export function parameterElement(name: string, isString: boolean, value: string): string {
  return `<${dsml}parameter name="${name}" string="${isString}">${value}</${dsml}parameter>`;
}

export function invokeElement(name: string, parameters: string): string {
  return `<${dsml}invoke name="${name}">\n${parameters}\n</${dsml}invoke>`;
}
