/**
 * How a mock engine is started. Everything but `reply` is JSON, so that an engine can be a process
 * of its own.
 */
import { checkFault, type Fault } from "./fault.ts";
import { echoReply, type ReplySource, type ScriptedReply, scriptedReplies } from "./script.ts";

export interface MockEngineOptions {
  /** Address to listen on; the default is 127.0.0.1. */
  readonly host?: string;
  /** TCP port; 0, the default, lets the system choose. */
  readonly port?: number;
  /** Directory of a HuggingFace checkpoint; null, the default, is the bundled demo checkpoint. */
  readonly hfCheckpoint?: string | null;
  /** A Jinja file that replaces the checkpoint's chat template. */
  readonly chatTemplatePath?: string | null;
  /** Id in /v1/models, and the model of a reply whose request names none. */
  readonly modelName?: string;
  readonly weightVersion?: string;
  /** Seconds since the epoch in every reply; null, the default, is the time of the reply. */
  readonly created?: number | null;

  /** Replies by turn number; the default is to echo the last message. */
  readonly script?: readonly ScriptedReply[] | null;
  /** Chooses replies in code; goes before a script. */
  readonly reply?: ReplySource | null;
  /** Befalls every request whose header and whose reply name no other. */
  readonly fault?: Fault | null;

  /** Bytes of one row of routed_experts; the default is 48, 2 layers x 6 experts x 4 bytes. */
  readonly routedExpertsRowBytes?: number;
  /** Bytes of one row of indexer_topk; the default is 24. */
  readonly indexerTopkRowBytes?: number;

  /** Milliseconds before a chat completion is answered; the default is 0. */
  readonly latencyMs?: number;
  /** Milliseconds more for each token of the completion; the default is 0. */
  readonly latencyMsPerToken?: number;
  /** How replies tell where they end; the default is content-length. */
  readonly framing?: "content-length" | "chunked";

  /** Requests that `MockEngine.requests` keeps, the newest; the default is 256. */
  readonly requestsKeptMax?: number;
}

/** Options with nothing left open. */
export interface MockEngineSettings extends Required<Omit<MockEngineOptions, "script" | "reply">> {
  readonly reply: ReplySource;
}

/** @throws Error when an option makes no sense */
export function settle(options: MockEngineOptions): MockEngineSettings {
  const script = options.script ?? null;
  const settings: MockEngineSettings = {
    host: options.host ?? "127.0.0.1",
    port: options.port ?? 0,
    hfCheckpoint: options.hfCheckpoint ?? null,
    chatTemplatePath: options.chatTemplatePath ?? null,
    modelName: options.modelName ?? "mock-model",
    weightVersion: options.weightVersion ?? "default",
    created: options.created ?? null,
    reply: options.reply ?? (script === null ? echoReply : scriptedReplies(script)),
    fault: options.fault ?? null,
    routedExpertsRowBytes: options.routedExpertsRowBytes ?? 48,
    indexerTopkRowBytes: options.indexerTopkRowBytes ?? 24,
    latencyMs: options.latencyMs ?? 0,
    latencyMsPerToken: options.latencyMsPerToken ?? 0,
    framing: options.framing ?? "content-length",
    requestsKeptMax: options.requestsKeptMax ?? 256,
  };
  for (const fault of [settings.fault, ...(script ?? []).map((reply) => reply.fault ?? null)]) {
    if (fault !== null) checkFault(fault);
  }
  for (const name of ["routedExpertsRowBytes", "indexerTopkRowBytes", "latencyMs"] as const) {
    if (settings[name] < 0) throw new Error(`${name} must be 0 or more, not ${settings[name]}`);
  }
  return settings;
}
