/**
 * The settings of the command line as a table: flag, environment variable, meaning, what is
 * accepted. Help, parsing, error messages and the README's table all come from here.
 *
 * Contract   the flag wins over the environment, which wins over the default.
 * Not here   relations between settings (configuration.ts).
 */
import {
  isLogLevel,
  logFormats,
  logLevels,
  messageMatchers,
  mockBackend,
  recordsPaths,
  titoFamilies,
  tokenizerPreferences,
} from "../config.ts";
import { authTokenCharactersMax, workerCountMax } from "../limits.ts";

export interface Setting {
  /** Flag without dashes. */
  readonly name: string;
  readonly kind: "value" | "switch";
  readonly valueHint: string;
  readonly description: string;
  /** What the setting is when nobody sets it, as the user would write it; null when it has none. */
  readonly default: string | null;
  /** Its value appears in no message. */
  readonly secret?: true;
  /** Completes the sentence "expected ...". */
  readonly accepted: string;
  accepts(text: string): boolean;
}

function wholeNumber(text: string, minimum: number, maximum: number): boolean {
  return /^\d{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
}

function oneOf(values: readonly string[]): Pick<Setting, "accepted" | "accepts"> {
  return {
    accepted: `one of ${values.join(", ")}`,
    accepts: (text) => values.includes(text),
  };
}

const authTokenAccepted = `1 to ${authTokenCharactersMax} visible ASCII characters`;

const switchValue = oneOf(["true", "false", "1", "0"]);

export const settings = [
  {
    name: "workers",
    kind: "value",
    valueHint: "N",
    description: "Processes that hold sessions; 1 serves from a single process",
    default: "1",
    accepted: `a whole number from 1 to ${workerCountMax}`,
    accepts: (text) => wholeNumber(text, 1, workerCountMax),
  },
  {
    name: "host",
    kind: "value",
    valueHint: "ADDRESS",
    description: "Address to listen on",
    default: "127.0.0.1",
    accepted: "a host name or an IP address",
    accepts: isHost,
  },
  {
    name: "port",
    kind: "value",
    valueHint: "PORT",
    description: "TCP port to listen on; 0 picks a free one",
    default: "30100",
    accepted: "a whole number from 0 to 65535",
    accepts: (text) => wholeNumber(text, 0, 65_535),
  },
  {
    name: "backend-url",
    kind: "value",
    valueHint: "URL",
    description: `Inference backend, or "${mockBackend}" for the built-in mock engine`,
    default: mockBackend,
    accepted: `an http:// or https:// URL without query, or "${mockBackend}"`,
    accepts: (text) => text === mockBackend || isBackendUrl(text),
  },
  {
    name: "hf-checkpoint",
    kind: "value",
    valueHint: "CHECKPOINT",
    description: "HuggingFace checkpoint that holds the tokenizer; the bundled demo when absent",
    default: null,
    accepted: "a directory with a tokenizer, or a name on the hub such as Qwen/Qwen3-8B",
    accepts: (text) => text !== "",
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
    accepted: "a readable file",
    accepts: (text) => text !== "",
  },
  {
    name: "chat-template-kwargs",
    kind: "value",
    valueHint: "JSON",
    description: "Variables for the chat template of every request",
    default: "{}",
    accepted: 'a JSON object such as {"enable_thinking": false}',
    accepts: isJsonObject,
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
    name: "auth-token",
    kind: "value",
    valueHint: "TOKEN",
    description: "Bearer token that every request but GET /health must carry; ps shows it",
    default: null,
    secret: true,
    accepted: authTokenAccepted,
    accepts: isAuthToken,
  },
  {
    name: "auth-token-file",
    kind: "value",
    valueHint: "FILE",
    description: "File that holds the bearer token, in place of --auth-token",
    default: null,
    accepted: "a readable file that holds the token alone",
    accepts: (text) => text !== "",
  },
  {
    name: "proxy-paths",
    kind: "value",
    valueHint: "PATHS",
    description: "What agents may reach on the backend besides chat completions",
    default: "*",
    accepted:
      'paths such as v1/models, beginnings such as v1/*, separated by commas; "none" for nothing',
    accepts: isPathList,
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
    accepted: "a host name or an IP address",
    accepts: isHost,
  },
  {
    name: "instance-id",
    kind: "value",
    valueHint: "HEX",
    description: "Name of this start, shown by /health; minted when absent",
    default: null,
    accepted: "32 lower-case hex digits",
    accepts: (text) => /^[0-9a-f]{32}$/.test(text),
  },
  {
    name: "log-level",
    kind: "value",
    valueHint: "LEVEL",
    description: "What is logged to stderr",
    default: "info",
    accepted: `one of ${logLevels.join(", ")}`,
    accepts: isLogLevel,
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

/** SESSION_SERVER_BACKEND_URL for backend-url. */
export function environmentVariable(setting: Pick<Setting, "name">): string {
  return `SESSION_SERVER_${setting.name.replaceAll("-", "_").toUpperCase()}`;
}

/** Whether a text can stand behind "Authorization: Bearer". */
export function isAuthToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text) && text.length <= authTokenCharactersMax;
}

/** A star ends a path or is no wildcard at all; an escape would never match a decoded path. */
function isPathList(text: string): boolean {
  return (
    text === "none" || text.split(",").every((path) => /^\/?(?!$)[^\s,*?#%\\]*\*?$/.test(path))
  );
}

function isHost(text: string): boolean {
  return /^[^\s/]+$/.test(text);
}

function isBackendUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    (url.protocol === "http:" || url.protocol === "https:") &&
    url.search === "" &&
    url.hash === ""
  );
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
