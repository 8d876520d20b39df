/**
 * Settings as text to a ServerConfig: relations between settings and things on disk are checked
 * here, before any process starts.
 *
 * Reports    UsageError naming the flag, its value and what is accepted.
 */
import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { localDirectory, namesCheckpoint } from "../checkpoint-hub/local-checkpoint.ts";
import {
  familiesWithFixedRendering,
  type LogFormat,
  type LogLevel,
  type MessageMatcherName,
  mockBackend,
  type RecordsPath,
  type ServerConfig,
  serverConfig,
  type TitoFamily,
  type TokenizerPreference,
} from "../config.ts";
import { randomId } from "../random-id.ts";
import { authToken as authTokenText, UsageError } from "../setting-values.ts";
import { type SettingName, type SettingTexts, settings } from "./settings.ts";

export function configurationFrom(texts: SettingTexts): ServerConfig {
  const optional = (name: SettingName): string | null =>
    texts.get(name)?.text ?? settings.find((setting) => setting.name === name)?.default ?? null;
  const required = (name: SettingName): string => optional(name) ?? "";
  const isOn = (name: SettingName): boolean => ["true", "1"].includes(required(name));
  const checkpoint = optional("hf-checkpoint");
  const template = optional("chat-template-path");
  const configuration = serverConfig({
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
    instanceId: optional("instance-id") ?? randomId(),
    authToken: authToken(texts),
    proxyPaths: proxyPaths(required("proxy-paths")),
    logLevel: required("log-level") as LogLevel,
    logFormat: required("log-format") as LogFormat,
    recordsPath: required("records-path") as RecordsPath,
    advertiseHost: optional("advertise-host"),
  });
  checkRelations(configuration, texts);
  return configuration;
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

/** A client cannot follow a redirect to "every address". */
function requireReachableHost(
  { host, advertiseHost }: ServerConfig,
  named: (name: SettingName) => string,
): void {
  if (advertiseHost !== null || !["0.0.0.0", "::"].includes(host)) return;
  throw new UsageError(
    `${named("records-path")} needs --advertise-host when ${named("host")} is every address; ` +
      "expected the name or address by which clients reach this machine",
  );
}

function checkRelations(configuration: ServerConfig, texts: SettingTexts): void {
  const named = (name: SettingName): string => {
    const value = texts.get(name);
    return value ? `${value.source} "${value.text}"` : `--${name}`;
  };
  const { hfCheckpoint, chatTemplatePath, backendUrl, titoModel } = configuration;
  if (hfCheckpoint === null && backendUrl !== mockBackend) {
    throw new UsageError(
      `${named("backend-url")} needs --hf-checkpoint as well; expected the directory of the ` +
        "checkpoint that the backend serves",
    );
  }
  if (hfCheckpoint !== null && !namesCheckpoint(hfCheckpoint)) {
    throw new UsageError(
      `${named("hf-checkpoint")}; expected a directory with a tokenizer, or a name on the hub`,
    );
  }
  if (configuration.recordsPath === "redirect") requireReachableHost(configuration, named);
  if (chatTemplatePath === null) return;
  if (familiesWithFixedRendering.has(titoModel)) {
    throw new UsageError(
      `${named("chat-template-path")} conflicts with --tito-model ${titoModel}, which renders ` +
        "in its own way; expected no template, or --tito-model default",
    );
  }
  if (!isReadableFile(chatTemplatePath)) {
    throw new UsageError(`${named("chat-template-path")}; expected a readable file`);
  }
}

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
