// spec: docs/clients.md, "Settings of a session"
/**
 * What a session is created with: the optional JSON body of POST /sessions.
 *
 *   pinned_sampling_params    members of every request to the backend; agents cannot override them
 *   default_sampling_params   members of the requests that do not have them
 *   chat_template_kwargs      variables of the chat template; a request cannot contradict them
 *   max_total_tokens          tokens of prompt and completion that the session may reach
 *   history_rewrites          "roll_back", as the original, or "refuse": what becomes of a request
 *                             that leaves the last turn out and is no retry of it
 *   metadata                  an object that is given back with the records
 *
 * Contract   every field may be absent or null; another one is an error. Values lose nothing.
 * Reports    InvalidRequestError that names field and expectation.
 * Limits     sessionSettingsBytesMax.
 */
import { InvalidRequestError } from "../errors.ts";
import { requestObject, requestText } from "../json/request-object.ts";
import type { JsonObject, JsonValue } from "../json/values.ts";
import { sessionSettingsBytesMax } from "../limits.ts";

const historyRewrites = ["roll_back", "refuse"] as const;
export type HistoryRewrites = (typeof historyRewrites)[number];

export interface SessionSettings {
  readonly pinnedSamplingParams: JsonObject;
  readonly defaultSamplingParams: JsonObject;
  readonly chatTemplateKwargs: JsonObject;
  /** Tokens of prompt and completion; null is no limit. */
  readonly maxTotalTokens: number | null;
  /** Whether a request that is no retry may take the last turn back. */
  readonly historyRewrites: HistoryRewrites;
  /** Null when none was given. */
  readonly metadata: JsonObject | null;
}

export const noSettings: SessionSettings = {
  pinnedSamplingParams: new Map(),
  defaultSamplingParams: new Map(),
  chatTemplateKwargs: new Map(),
  maxTotalTokens: null,
  historyRewrites: "roll_back",
  metadata: null,
};

const fieldNames = [
  "pinned_sampling_params",
  "default_sampling_params",
  "chat_template_kwargs",
  "max_total_tokens",
  "history_rewrites",
  "metadata",
] as const;

/** What the server itself says with every turn, or must be able to read: no sampling parameter. */
const ownedNames: ReadonlySet<string> = new Set([
  "messages",
  "tools",
  "stream",
  "stream_options",
  "n",
  "logprobs",
  "input_ids",
  "no_stop_trim",
  "return_meta_info",
  "return_routed_experts",
  "return_indexer_topk",
  "chat_template_kwargs",
]);

/** Names of one and the same parameter; OpenAI renamed it. */
const aliases: readonly (readonly string[])[] = [["max_tokens", "max_completion_tokens"]];

/** All names of a parameter, its own included. */
export function parameterNames(name: string): readonly string[] {
  return aliases.find((names) => names.includes(name)) ?? [name];
}

/** @param body of POST /sessions; an empty one is no settings */
export function parseSessionSettings(body: Uint8Array): SessionSettings {
  if (body.length === 0) return noSettings;
  const fields = requestObject(requestText(body, sessionSettingsBytesMax));
  for (const name of fields.keys()) {
    if ((fieldNames as readonly string[]).includes(name)) continue;
    throw new InvalidRequestError(
      `unknown field ${JSON.stringify(name)}: a session takes ${fieldNames.join(", ")}`,
    );
  }
  return {
    pinnedSamplingParams: samplingParams(fields, "pinned_sampling_params"),
    defaultSamplingParams: samplingParams(fields, "default_sampling_params"),
    chatTemplateKwargs: objectField(fields, "chat_template_kwargs") ?? new Map(),
    maxTotalTokens: tokenLimit(fields.get("max_total_tokens") ?? null),
    historyRewrites: rewriteRule(fields.get("history_rewrites") ?? "roll_back"),
    metadata: objectField(fields, "metadata"),
  };
}

function objectField(fields: JsonObject, name: (typeof fieldNames)[number]): JsonObject | null {
  const value = fields.get(name) ?? null;
  if (value === null || value instanceof Map) return value;
  throw new InvalidRequestError(`${name} must be a JSON object`);
}

function samplingParams(fields: JsonObject, field: (typeof fieldNames)[number]): JsonObject {
  const params = objectField(fields, field) ?? new Map();
  for (const name of params.keys()) {
    if (ownedNames.has(name)) {
      throw new InvalidRequestError(
        `${field}.${name} is set by the server or the agent: it is no sampling parameter`,
      );
    }
    const twin = parameterNames(name).find((alias) => alias !== name && params.has(alias));
    if (twin !== undefined) {
      throw new InvalidRequestError(`${field}.${name} and ${field}.${twin} are one parameter`);
    }
  }
  return params;
}

function tokenLimit(value: JsonValue): number | null {
  if (value === null) return null;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidRequestError("max_total_tokens must be an integer of 1 or more");
}

function rewriteRule(value: JsonValue): HistoryRewrites {
  const rule = historyRewrites.find((name) => name === value);
  if (rule !== undefined) return rule;
  throw new InvalidRequestError(`history_rewrites must be one of ${historyRewrites.join(", ")}`);
}
