/**
 * Settings as text to a ServerConfig, before any process starts.
 *
 * Reports    UsageError naming the flag, its value and what is accepted.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { localDirectory, namesCheckpoint } from "../checkpoint-hub/local-checkpoint.ts";
import {
  type LogFormat,
  type LogLevel,
  type MessageMatcherName,
  type RecordsPath,
  type ServerConfig,
  serverConfig,
  type TitoFamily,
  type TokenizerPreference,
} from "../config.ts";
import { randomId } from "../random-id.ts";
import { authToken as authTokenText } from "../setting-values.ts";
import { faultSentence, UsageError } from "../usage-error.ts";
import { settingNames } from "./setting-names.ts";
import { type SettingName, type SettingTexts, settings } from "./settings.ts";

export function configurationFrom(texts: SettingTexts): ServerConfig {
  const optional = (name: SettingName): string | null =>
    texts.get(name)?.text ?? settings.find((setting) => setting.name === name)?.default ?? null;
  const required = (name: SettingName): string => optional(name) ?? "";
  const isOn = (name: SettingName): boolean => ["true", "1"].includes(required(name));
  const checkpoint = optional("hf-checkpoint");
  const template = optional("chat-template-path");
  if (checkpoint !== null) requireCheckpointName(checkpoint, texts);
  const settingsGiven: ServerConfig = {
    workers: Number(required("workers")),
    host: required("host"),
    port: Number(required("port")),
    backendUrl: required("backend-url"),
    // A name on the hub becomes a directory before anything is served (main.ts).
    hfCheckpoint: checkpoint === null ? null : (localDirectory(checkpoint) ?? checkpoint),
    tokenizer: required("tokenizer") as TokenizerPreference,
    titoModel: required("tito-model") as TitoFamily,
    chatTemplatePath: template === null ? null : resolve(template),
    chatTemplateKwargs: required("chat-template-kwargs"),
    sessionMessageMatcher: required("session-message-matcher") as MessageMatcherName,
    useRolloutRoutingReplay: isOn("use-rollout-routing-replay"),
    useRolloutIndexerReplay: isOn("use-rollout-indexer-replay"),
    streamKeepAliveSeconds: Number(required("stream-keep-alive-seconds")),
    instanceId: optional("instance-id") ?? randomId(),
    authToken: authToken(texts),
    proxyPaths: proxyPaths(required("proxy-paths")),
    logLevel: required("log-level") as LogLevel,
    logFormat: required("log-format") as LogFormat,
    recordsPath: required("records-path") as RecordsPath,
    advertiseHost: optional("advertise-host"),
  };
  return serverConfig(settingsGiven, settingNames(texts));
}

/** Before the hub is asked for it. */
function requireCheckpointName(checkpoint: string, texts: SettingTexts): void {
  if (namesCheckpoint(checkpoint)) return;
  const fault = {
    setting: "hfCheckpoint",
    relation: null,
    problem: null,
    expected: "a directory with a tokenizer, or a name on the hub such as Qwen/Qwen3-8B",
  } as const;
  throw new UsageError(faultSentence(fault, settingNames(texts)), { fault });
}

/** The token itself, from wherever it was said to be; read once. */
function authToken(texts: SettingTexts): string | null {
  const given = texts.get("auth-token") ?? null;
  const file = texts.get("auth-token-file") ?? null;
  if (file === null) return given?.text ?? null;
  if (given !== null) {
    throw new UsageError(`${given.source} conflicts with ${file.source}; expected one of them`);
  }
  const token = readToken(file.text);
  if (token !== null) return token;
  throw new UsageError(
    `${file.source} "${file.text}"; expected a readable file that holds the token alone`,
  );
}

function readToken(path: string): string | null {
  try {
    const token = readFileSync(path, "utf8").trim();
    return authTokenText.accepts(token) ? token : null;
  } catch {
    return null;
  }
}

function proxyPaths(text: string): string[] {
  return text === "none" ? [] : text.split(",").map((path) => path.trim().replace(/^\//, ""));
}
