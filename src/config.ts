/**
 * The settings of a session server as checked values. Made once by the command line (cli/) or a
 * library caller, handed to every child process as JSON, never changed afterwards.
 */

export const titoFamilies = ["default", "qwen3", "deepseekv32"] as const;
export type TitoFamily = (typeof titoFamilies)[number];

/** Families that render in their own way: a chat template from elsewhere is an error. */
export const familiesWithFixedRendering: ReadonlySet<TitoFamily> = new Set([
  "qwen3",
  "deepseekv32",
]);

export const messageMatchers = ["strict", "loose_tool_call", "role_content_only"] as const;
export type MessageMatcherName = (typeof messageMatchers)[number];

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

export function isLogLevel(text: string): text is LogLevel {
  return (logLevels as readonly string[]).includes(text);
}

/** Stands for the built-in mock engine where a backend URL is expected. */
export const mockBackend = "mock";

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
  readonly logLevel: LogLevel;
}
