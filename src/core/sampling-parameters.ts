/**
 * The sampling parameters of a turn: the agent's, within what its session was created with.
 *
 * Contract   a pinned parameter replaces the agent's, a default stands where the agent says
 *            nothing, or null. Names that mean the same to a backend are one parameter. Members
 *            that nobody touches stay as the agent wrote them.
 */
import { parseJson, writeJson } from "../json/lossless.ts";
import type { JsonValue } from "../json/values.ts";
import { parameterNames, type SessionSettings } from "../trajectory/session-settings.ts";

/** Members of a request by name, each as it is written: `"name": value`. */
export type WrittenMembers = Map<string, string>;

/** The name under which the server itself limits a completion; every backend knows it. */
const limitName = "max_tokens";

/** @param completionTokensMax what the session has room for; null when it has no limit */
export function applySessionParameters(
  members: WrittenMembers,
  settings: SessionSettings,
  completionTokensMax: number | null,
): void {
  for (const [name, value] of settings.defaultSamplingParams) {
    const aliases = parameterNames(name);
    if (aliases.some((alias) => saysSomething(members.get(alias)))) continue;
    for (const alias of aliases) if (alias !== name) members.delete(alias);
    write(members, name, value);
  }
  for (const [name, value] of settings.pinnedSamplingParams) {
    for (const alias of parameterNames(name)) if (alias !== name) members.delete(alias);
    write(members, name, value);
  }
  if (completionTokensMax !== null) limitCompletion(members, completionTokensMax);
}

/** Clients write null where they mean nothing. Only that value ends with its letters. */
function saysSomething(member: string | undefined): boolean {
  return member !== undefined && !member.endsWith("null");
}

/** What is no count stays, for the backend to refuse. */
function limitCompletion(members: WrittenMembers, tokensMax: number): void {
  const given = parameterNames(limitName).filter((name) => members.has(name));
  for (const name of given) {
    const value = writtenValue(members.get(name) ?? "null");
    const isLimit = typeof value === "number" && value <= tokensMax;
    const isCount = typeof value === "number" || typeof value === "bigint" || value === null;
    if (!isLimit && isCount) write(members, name, tokensMax);
  }
  if (given.length === 0) write(members, limitName, tokensMax);
}

function write(members: WrittenMembers, name: string, value: JsonValue): void {
  members.set(name, `${JSON.stringify(name)}:${writeJson(value)}`);
}

function writtenValue(member: string): JsonValue {
  const parsed = parseJson(`{${member}}`);
  return parsed instanceof Map ? ([...parsed.values()][0] ?? null) : null;
}
