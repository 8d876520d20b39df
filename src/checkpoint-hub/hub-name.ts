/**
 * Names of checkpoints on a HuggingFace hub: `Qwen/Qwen3-8B`, or with a branch, tag or commit
 * `Qwen/Qwen3-8B@main`.
 */

export interface HubName {
  /** "Qwen/Qwen3-8B" */
  readonly repository: string;
  /** Branch, tag or commit; "main" when none is named. */
  readonly revision: string;
}

const part = "[A-Za-z0-9][A-Za-z0-9._-]{0,95}";
const hubName = new RegExp(`^(${part}(?:/${part})?)(?:@([A-Za-z0-9][A-Za-z0-9._/-]{0,127}))?$`);

/** null when the text cannot be such a name: the hub allows no ".." and no "--" in it. */
export function parseHubName(text: string): HubName | null {
  const [, repository, revision = "main"] = hubName.exec(text) ?? [];
  if (repository === undefined || /--|\.\.|\.$/.test(repository)) return null;
  return revision.includes("..") ? null : { repository, revision };
}
