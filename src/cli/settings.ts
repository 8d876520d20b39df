/**
 * The settings of the command line as a table: flag, environment variable, meaning, what is
 * accepted. Help, parsing, error messages and the README's table all come from here.
 *
 * Contract   the flag wins over the environment, which wins over the default.
 * Not here   relations between settings (configuration.ts).
 */
import {
  logFormats,
  logLevels,
  messageMatchers,
  mockBackend,
  recordsPaths,
  titoFamilies,
  tokenizerPreferences,
} from "../config.ts";
import {
  type Acceptance,
  authToken,
  backendUrl,
  checkpoint,
  hostName,
  instanceId,
  jsonObject,
  keepAliveSeconds,
  oneOf,
  pathList,
  readableFile,
  tcpPort,
  workerCount,
} from "../setting-values.ts";

export interface Setting extends Acceptance {
  /** Flag without dashes. */
  readonly name: string;
  readonly kind: "value" | "switch";
  readonly valueHint: string;
  readonly description: string;
  /** What the setting is when nobody sets it, as the user would write it; null when it has none. */
  readonly default: string | null;
  /** Its value appears in no message. */
  readonly secret?: true;
}

const switchValue = oneOf(["true", "false", "1", "0"]);

export const settings = [
  {
    name: "workers",
    kind: "value",
    valueHint: "N",
    description: "Processes that hold sessions; 1 serves from a single process",
    default: "1",
    ...workerCount,
  },
  {
    name: "host",
    kind: "value",
    valueHint: "ADDRESS",
    description: "Address to listen on",
    default: "127.0.0.1",
    ...hostName,
  },
  {
    name: "port",
    kind: "value",
    valueHint: "PORT",
    description: "TCP port to listen on; 0 picks a free one",
    default: "30100",
    ...tcpPort,
  },
  {
    name: "backend-url",
    kind: "value",
    valueHint: "URL",
    description: `Inference backend, or "${mockBackend}" for the built-in mock engine`,
    default: mockBackend,
    ...backendUrl(mockBackend),
  },
  {
    name: "hf-checkpoint",
    kind: "value",
    valueHint: "CHECKPOINT",
    description: "HuggingFace checkpoint that holds the tokenizer; the bundled demo when absent",
    default: null,
    ...checkpoint,
  },
  {
    name: "tokenizer",
    kind: "value",
    valueHint: "ENGINE",
    description:
      "auto takes the fast tokenizer where it is exact, rust HuggingFace's library always",
    default: "auto",
    ...oneOf(tokenizerPreferences),
  },
  {
    name: "tito-model",
    kind: "value",
    valueHint: "FAMILY",
    description: "Model family: how turns are rendered and joined token by token",
    default: "default",
    ...oneOf(titoFamilies),
  },
  {
    name: "chat-template-path",
    kind: "value",
    valueHint: "FILE",
    description: "Jinja chat template to use instead of the checkpoint's",
    default: null,
    ...readableFile,
  },
  {
    name: "chat-template-kwargs",
    kind: "value",
    valueHint: "JSON",
    description: "Variables for the chat template of every request",
    default: "{}",
    ...jsonObject,
  },
  {
    name: "session-message-matcher",
    kind: "value",
    valueHint: "NAME",
    description: "When a replayed message counts as the stored one",
    default: "strict",
    ...oneOf(messageMatchers),
  },
  {
    name: "use-rollout-routing-replay",
    kind: "switch",
    valueHint: "",
    description: "Ask the backend for routed_experts with every turn",
    default: "false",
    ...switchValue,
  },
  {
    name: "use-rollout-indexer-replay",
    kind: "switch",
    valueHint: "",
    description: "Ask the backend for indexer_topk with every turn",
    default: "false",
    ...switchValue,
  },
  {
    name: "stream-keep-alive-seconds",
    kind: "value",
    valueHint: "N",
    description:
      "When a streamed reply that is not there yet begins, and how often it then says so; " +
      "0 is never",
    default: "15",
    ...keepAliveSeconds,
  },
  {
    name: "auth-token",
    kind: "value",
    valueHint: "TOKEN",
    description: "Bearer token that every request but GET /health must carry; ps shows it",
    default: null,
    secret: true,
    ...authToken,
  },
  {
    name: "auth-token-file",
    kind: "value",
    valueHint: "FILE",
    description: "File that holds the bearer token, in place of --auth-token",
    default: null,
    ...readableFile,
    accepted: "a readable file that holds the token alone",
  },
  {
    name: "proxy-paths",
    kind: "value",
    valueHint: "PATHS",
    description: "What agents may reach on the backend besides chat completions",
    default: "*",
    ...pathList,
  },
  {
    name: "records-path",
    kind: "value",
    valueHint: "WAY",
    description:
      "How records leave a server with workers: " +
      "through the router, or by a redirect to their owner",
    default: "relay",
    ...oneOf(recordsPaths),
  },
  {
    name: "advertise-host",
    kind: "value",
    valueHint: "ADDRESS",
    description: "Host that such a redirect names; --host when absent",
    default: null,
    ...hostName,
  },
  {
    name: "instance-id",
    kind: "value",
    valueHint: "HEX",
    description: "Name of this start, shown by /health; minted when absent",
    default: null,
    ...instanceId,
  },
  {
    name: "log-level",
    kind: "value",
    valueHint: "LEVEL",
    description: "What is logged to stderr",
    default: "info",
    ...oneOf(logLevels),
  },
  {
    name: "log-format",
    kind: "value",
    valueHint: "FORMAT",
    description: "How a line of the log is written",
    default: "text",
    ...oneOf(logFormats),
  },
] as const satisfies readonly Setting[];

export type SettingName = (typeof settings)[number]["name"];

/** What a setting holds and where that stands, for messages: "--port" or "SESSION_SERVER_PORT". */
export interface SettingText {
  readonly text: string;
  readonly source: string;
}

export type SettingTexts = ReadonlyMap<SettingName, SettingText>;

export const variablePrefix = "SESSION_SERVER_";

/** SESSION_SERVER_BACKEND_URL for backend-url. */
export function environmentVariable(setting: Pick<Setting, "name">): string {
  return `${variablePrefix}${setting.name.replaceAll("-", "_").toUpperCase()}`;
}
