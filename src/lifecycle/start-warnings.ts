/**
 * What an operator should know about the settings before the first request, one sentence each.
 *
 * Contract   says nothing when there is nothing to say.
 */
import { readFileSync } from "node:fs";
import { mockBackend, type ServerConfig } from "../config.ts";
import { openFilesMin } from "../limits.ts";
import type { SettingNames } from "../usage-error.ts";

/** @param openFiles how many this process may have; null when unknown */
export function startWarnings(
  config: ServerConfig,
  { name, given }: SettingNames,
  openFiles = openFilesLimit(),
): string[] {
  return [
    ...standIns(config, name),
    ...doubledPath(config, given),
    ...openDoors(config, name),
    ...narrowLimits(openFiles),
  ];
}

type Name = SettingNames["name"];

function standIns({ backendUrl, hfCheckpoint }: ServerConfig, name: Name): string[] {
  const warnings: string[] = [];
  if (backendUrl === mockBackend) {
    warnings.push(
      `no ${name("backendUrl")}: replies come from the built-in mock engine, not from a model`,
    );
  }
  if (hfCheckpoint === null) {
    warnings.push(`no ${name("hfCheckpoint")}: token ids are those of the bundled demo tokenizer`);
  }
  return warnings;
}

/** The base URL of an OpenAI client, where that of the backend is asked for. */
function doubledPath({ backendUrl }: ServerConfig, given: SettingNames["given"]): string[] {
  if (!backendUrl.endsWith("/v1")) return [];
  return [`${given("backendUrl")} ends in /v1: turns are asked at /v1/v1/chat/completions`];
}

/** On a host that others can reach, the session server is a door to the backend. */
function openDoors({ host, authToken, proxyPaths }: ServerConfig, name: Name): string[] {
  if (isLoopback(host)) return [];
  const warnings: string[] = [];
  if (authToken === null) {
    warnings.push(`no ${name("authToken")}: whoever reaches ${host} may use this server`);
  }
  if (proxyPaths.includes("*")) {
    warnings.push(
      `${name("proxyPaths")} is "*": whoever may use this server on ${host} reaches every path ` +
        "of the backend, those that change weights and caches included",
    );
  }
  return warnings;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Every chat under way is a connection of its own in two processes. */
function narrowLimits(openFiles: number | null): string[] {
  if (openFiles === null || openFiles >= openFilesMin) return [];
  return [
    `ulimit -n is ${openFiles}: chats beyond it fail with 502; ${openFilesMin} or more is advised`,
  ];
}

/** The hard limit, to which the runtime raises the soft one, as Linux tells it; null elsewhere. */
function openFilesLimit(): number | null {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const [, hard] = /^Max open files +\w+ +(\d+) /m.exec(limits) ?? [];
    return hard === undefined ? null : Number(hard);
  } catch {
    return null;
  }
}
