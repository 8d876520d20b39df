/**
 * The settings of a session server as checked values. Made once by the command line (cli/) or a
 * library caller, handed to every child process as JSON, never changed afterwards.
 *
 * Reports    UsageError for a member that is unknown or holds what is not accepted, and for members
 *            that do not fit each other.
 */
import { nearestName, onlyNameWith } from "./nearest-name.ts";
import { randomId } from "./random-id.ts";
import {
  type Acceptance,
  authToken,
  backendUrl,
  checkpoint,
  hostName,
  instanceId,
  isProxyPath,
  jsonObject,
  keepAliveSeconds,
  oneOf,
  readableFile,
  tcpPort,
  workerCount,
} from "./setting-values.ts";
import {
  faultSentence,
  memberNames,
  type SettingFault,
  type SettingMember,
  type SettingNames,
  UsageError,
  valueText,
} from "./usage-error.ts";

export const titoFamilies = [
  "default",
  "qwen3",
  "qwen35",
  "qwennext",
  "glm47",
  "nemotron3",
  "kimi25",
  "kimi26",
  "minimax_m25",
  "minimax_m27",
  "deepseekv32",
  "deepseekv4",
] as const;
export type TitoFamily = (typeof titoFamilies)[number];

/** Families that say how they are rendered: a chat template from elsewhere is an error. */
export const familiesWithFixedRendering: ReadonlySet<TitoFamily> = new Set(
  titoFamilies.filter((family) => family !== "default"),
);

export const messageMatchers = ["strict", "loose_tool_call", "role_content_only"] as const;
export type MessageMatcherName = (typeof messageMatchers)[number];

/** "auto" is the fast tokenizer where it is exact; "rust" is HuggingFace's library always. */
export const tokenizerPreferences = ["auto", "rust"] as const;
export type TokenizerPreference = (typeof tokenizerPreferences)[number];

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export const logFormats = ["text", "json"] as const;
export type LogFormat = (typeof logFormats)[number];

/** Stands for the built-in mock engine where a backend URL is expected. */
export const mockBackend = "mock";

export const recordsPaths = ["relay", "redirect"] as const;
export type RecordsPath = (typeof recordsPaths)[number];

export interface ServerConfig {
  /** Processes that hold sessions; 1 means no router and no IPC. */
  readonly workers: number;
  readonly host: string;
  /** TCP port; 0 lets the system choose. */
  readonly port: number;
  /** Origin (and base path) of the inference backend without trailing slash, or "mock". */
  readonly backendUrl: string;
  /** Directory of a HuggingFace checkpoint; null means the bundled demo checkpoint. */
  readonly hfCheckpoint: string | null;
  /** What encodes and decodes text. */
  readonly tokenizer: TokenizerPreference;
  readonly titoModel: TitoFamily;
  /** A Jinja file that replaces the checkpoint's chat template. */
  readonly chatTemplatePath: string | null;
  /** JSON object, as text: it must reach the template losslessly. */
  readonly chatTemplateKwargs: string;
  readonly sessionMessageMatcher: MessageMatcherName;
  /** Ask the backend for routed_experts with every turn. */
  readonly useRolloutRoutingReplay: boolean;
  /** Ask the backend for indexer_topk with every turn. */
  readonly useRolloutIndexerReplay: boolean;
  /** Seconds after which a stream begins before its reply is there; 0 is never. */
  readonly streamKeepAliveSeconds: number;
  /** 32 hex digits that name this start of the server. */
  readonly instanceId: string;
  /** Bearer token that every request but GET /health must carry; null asks for none. */
  readonly authToken: string | null;
  /** What agents may reach on the backend besides chat: paths, or beginnings that end with "*". */
  readonly proxyPaths: readonly string[];
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** How records leave a server with several workers: through the router, or from their owner. */
  readonly recordsPath: RecordsPath;
  /** Host that a redirect to a worker names; null names `host`. */
  readonly advertiseHost: string | null;
}

/** What a member of a ServerConfig may hold. */
interface Rule {
  readonly accepted: string;
  accepts(value: unknown): boolean;
}

const rules: Readonly<Record<SettingMember, Rule>> = {
  workers: number(workerCount),
  host: text(hostName),
  port: number(tcpPort),
  backendUrl: text(backendUrl(mockBackend)),
  hfCheckpoint: textOrNull(checkpoint),
  tokenizer: text(oneOf(tokenizerPreferences)),
  titoModel: text(oneOf(titoFamilies)),
  chatTemplatePath: textOrNull(readableFile),
  chatTemplateKwargs: text(jsonObject),
  sessionMessageMatcher: text(oneOf(messageMatchers)),
  useRolloutRoutingReplay: boolean(),
  useRolloutIndexerReplay: boolean(),
  streamKeepAliveSeconds: number(keepAliveSeconds),
  instanceId: text(instanceId),
  authToken: textOrNull(authToken),
  proxyPaths: paths(),
  logLevel: text(oneOf(logLevels)),
  logFormat: text(oneOf(logFormats)),
  recordsPath: text(oneOf(recordsPaths)),
  advertiseHost: textOrNull(hostName),
};

/**
 * A configuration: the defaults of the command line but for `settings`. A member that is undefined
 * counts as absent. Files are looked at when a server starts.
 *
 * @param names how the settings were given, when it was not by member
 * @throws UsageError naming the member, its value and what is accepted
 */
export function serverConfig(
  settings: Partial<ServerConfig> = {},
  names?: SettingNames,
): ServerConfig {
  if (typeof settings !== "object" || settings === null) {
    throw new UsageError("the settings must be an object");
  }
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) check(name, value);
  const config: ServerConfig = {
    workers: 1,
    host: "127.0.0.1",
    port: 30_100,
    backendUrl: mockBackend,
    hfCheckpoint: null,
    tokenizer: "auto",
    titoModel: "default",
    chatTemplatePath: null,
    chatTemplateKwargs: "{}",
    sessionMessageMatcher: "strict",
    useRolloutRoutingReplay: false,
    useRolloutIndexerReplay: false,
    streamKeepAliveSeconds: 15,
    instanceId: randomId(),
    authToken: null,
    proxyPaths: ["*"],
    logLevel: "info",
    logFormat: "text",
    recordsPath: "relay",
    advertiseHost: null,
    ...Object.fromEntries(given),
  };
  const normal: ServerConfig = {
    ...config,
    host: withoutBrackets(config.host),
    backendUrl: config.backendUrl.replace(/\/+$/, ""),
    advertiseHost: config.advertiseHost === null ? null : withoutBrackets(config.advertiseHost),
  };
  const fault = relationFault(normal);
  if (fault === null) return normal;
  throw new UsageError(faultSentence(fault, names ?? memberNames(normal)), { fault });
}

/** What stands for every address of a machine, to which no client can be sent. */
const everyAddress: readonly string[] = ["0.0.0.0", "::"];

/** The first thing in which two settings do not fit each other; null when they all fit. */
function relationFault(config: ServerConfig): SettingFault | null {
  const { backendUrl, hfCheckpoint, host, recordsPath, advertiseHost } = config;
  if (backendUrl !== mockBackend && hfCheckpoint === null) {
    return {
      setting: "backendUrl",
      relation: { kind: "needs", other: "hfCheckpoint" },
      problem: "token ids must be those of the backend's model",
      expected: "the directory of the checkpoint that the backend serves",
    };
  }
  if (recordsPath === "redirect" && advertiseHost === null && everyAddress.includes(host)) {
    return {
      setting: "recordsPath",
      relation: { kind: "needs", other: "advertiseHost" },
      problem: `no client can follow a redirect to ${host}`,
      expected: "the name or address by which clients reach this machine",
    };
  }
  if (config.chatTemplatePath !== null && familiesWithFixedRendering.has(config.titoModel)) {
    return {
      setting: "chatTemplatePath",
      relation: { kind: "conflicts with", other: "titoModel" },
      problem: "the family says itself how it is rendered",
      expected: "no template, or the family default",
    };
  }
  return null;
}

/** An IPv6 address as URLs write it is one all the same. */
function withoutBrackets(host: string): string {
  return /^\[(.*:.*)\]$/.exec(host)?.[1] ?? host;
}

function check(name: string, value: unknown): void {
  const rule = Object.hasOwn(rules, name) ? rules[name as SettingMember] : undefined;
  if (rule === undefined) {
    const known = Object.keys(rules);
    const meant = nearestName(name, known) ?? onlyNameWith(name, known);
    const hint = meant === null ? "" : `did you mean ${meant}? `;
    throw new UsageError(`${name} is unknown; ${hint}expected some of ${known.join(", ")}`);
  }
  if (rule.accepts(value)) return;
  const shown = name === "authToken" ? " is not acceptable" : ` ${valueText(value)}`;
  throw new UsageError(`${name}${shown}; expected ${rule.accepted}`);
}

function number({ accepted, accepts }: Acceptance): Rule {
  return { accepted, accepts: (value) => typeof value === "number" && accepts(String(value)) };
}

function text({ accepted, accepts }: Acceptance): Rule {
  return { accepted, accepts: (value) => typeof value === "string" && accepts(value) };
}

function textOrNull(acceptance: Acceptance): Rule {
  const { accepted, accepts } = text(acceptance);
  return { accepted: `${accepted}; or null`, accepts: (value) => value === null || accepts(value) };
}

function boolean(): Rule {
  return { accepted: "true or false", accepts: (value) => typeof value === "boolean" };
}

function paths(): Rule {
  const isPath = (path: unknown) => typeof path === "string" && isProxyPath(path);
  return {
    accepted: "a list of paths such as v1/models and of beginnings such as v1/*",
    accepts: (value) => Array.isArray(value) && value.every(isPath),
  };
}
