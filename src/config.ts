/**
 * The settings of a session server as checked values. Made once by the command line (cli/) or a
 * library caller, handed to every child process as JSON, never changed afterwards.
 */
import { mintSessionId } from "./sharding.ts";

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

export function isLogLevel(text: string): text is LogLevel {
  return (logLevels as readonly string[]).includes(text);
}

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

/** A configuration for library callers: the defaults of the command line but for `settings`. */
export function serverConfig(settings: Partial<ServerConfig> = {}): ServerConfig {
  return {
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
    instanceId: mintSessionId(),
    authToken: null,
    proxyPaths: ["*"],
    logLevel: "info",
    logFormat: "text",
    recordsPath: "relay",
    advertiseHost: null,
    ...settings,
  };
}
