/**
 * Settings as text to a ServerConfig: relations between settings and things on disk are checked
 * here, before any process starts.
 *
 * Reports    UsageError naming the flag, its value and what is accepted.
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import {
  familiesWithFixedRendering,
  type LogLevel,
  type MessageMatcherName,
  mockBackend,
  type ServerConfig,
  type TitoFamily,
} from "../config.ts";
import { mintSessionId } from "../sharding.ts";
import { type SettingTexts, UsageError } from "./command-line.ts";
import { type SettingName, settings } from "./settings.ts";

export function configurationFrom(texts: SettingTexts): ServerConfig {
  const optional = (name: SettingName): string | null =>
    texts.get(name)?.text ?? settings.find((setting) => setting.name === name)?.default ?? null;
  const required = (name: SettingName): string => optional(name) ?? "";
  const isOn = (name: SettingName): boolean => ["true", "1"].includes(required(name));
  const checkpoint = optional("hf-checkpoint");
  const template = optional("chat-template-path");
  const configuration: ServerConfig = {
    workers: Number(required("workers")),
    host: required("host"),
    port: Number(required("port")),
    backendUrl: required("backend-url").replace(/\/+$/, ""),
    hfCheckpoint: checkpoint === null ? null : resolve(checkpoint),
    titoModel: required("tito-model") as TitoFamily,
    chatTemplatePath: template === null ? null : resolve(template),
    chatTemplateKwargs: required("chat-template-kwargs"),
    sessionMessageMatcher: required("session-message-matcher") as MessageMatcherName,
    useRolloutRoutingReplay: isOn("use-rollout-routing-replay"),
    useRolloutIndexerReplay: isOn("use-rollout-indexer-replay"),
    instanceId: optional("instance-id") ?? mintSessionId(),
    logLevel: required("log-level") as LogLevel,
  };
  checkRelations(configuration, texts);
  return configuration;
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
  if (hfCheckpoint !== null && !statSync(hfCheckpoint, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`${named("hf-checkpoint")}; expected a directory with a tokenizer.json`);
  }
  if (chatTemplatePath === null) return;
  if (familiesWithFixedRendering.has(titoModel)) {
    throw new UsageError(
      `${named("chat-template-path")} conflicts with --tito-model ${titoModel}, which renders ` +
        "in its own way; expected no template, or --tito-model default",
    );
  }
  if (!statSync(chatTemplatePath, { throwIfNoEntry: false })?.isFile()) {
    throw new UsageError(`${named("chat-template-path")}; expected a readable file`);
  }
}
