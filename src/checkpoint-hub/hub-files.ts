/**
 * The files of a checkpoint that a session server reads. Weights are never among them.
 */

/** What the tokenizer is read from; a checkpoint has one of them. */
export const tokenizerFiles = ["tokenizer.json", "tiktoken.model"] as const;

const otherFiles: ReadonlySet<string> = new Set([
  "chat_template.jinja",
  "config.json",
  "special_tokens_map.json",
  "tokenizer_config.json",
]);

const additionalTemplate = /^additional_chat_templates\/[\w.-]+\.jinja$/;

/**
 * Of a checkpoint's files those that are read. The tokenizer comes last, so that a directory that
 * has it has everything.
 */
export function neededFiles(files: readonly string[]): string[] {
  const tokenizer = tokenizerFiles.find((name) => files.includes(name));
  const others = files.filter((name) => otherFiles.has(name) || additionalTemplate.test(name));
  return [...others.sort(), ...(tokenizer === undefined ? [] : [tokenizer])];
}
