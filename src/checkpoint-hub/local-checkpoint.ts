/**
 * From what --hf-checkpoint says to a directory on this machine: a directory as it is; a name on
 * the hub from the local HuggingFace cache, or else downloaded into it.
 *
 * Contract   a checkpoint that the cache has whole is used without asking the hub, as it was when
 *            it came. HF_HUB_OFFLINE=1 never asks. Only the files that a session server reads are
 *            downloaded (hub-files.ts).
 * Reports    HubError
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { downloadBlob } from "./blob-download.ts";
import { downloadProgress, type ProgressOutput } from "./download-progress.ts";
import { CachedRepository, type Environment, hubCacheDirectory } from "./hub-cache.ts";
import { HubClient } from "./hub-client.ts";
import { HubError } from "./hub-error.ts";
import { neededFiles, tokenizerFiles } from "./hub-files.ts";
import { type HubName, parseHubName } from "./hub-name.ts";

const publicEndpoint = "https://huggingface.co";

/** Absolute path of an existing directory; null when the text is none. */
export function localDirectory(text: string): string | null {
  return kindOf(text) === "directory" ? resolve(text) : null;
}

/** Whether the text is an existing directory or may name a checkpoint on the hub. */
export function namesCheckpoint(text: string): boolean {
  const kind = kindOf(text);
  return kind === "directory" || (kind === "nothing" && parseHubName(text) !== null);
}

/**
 * @param output gets the progress of downloads
 * @returns absolute path of a directory
 * @throws HubError
 */
export async function localCheckpoint(
  text: string,
  environment: Environment,
  output: ProgressOutput,
): Promise<string> {
  const directory = localDirectory(text);
  if (directory !== null) return directory;
  const name = parseHubName(text);
  if (name === null) {
    throw new HubError(`"${text}" is neither a directory nor a name such as Qwen/Qwen3-8B`);
  }
  const cache = hubCacheDirectory(environment);
  const cached = new CachedRepository(cache, name);
  const commit = cached.commitOf(name.revision);
  if (commit !== null && cached.isComplete(commit)) return cached.snapshot(commit);
  if (["1", "true", "yes", "on"].includes((environment["HF_HUB_OFFLINE"] ?? "").toLowerCase())) {
    throw new HubError(`${text} is not in ${cache}, and HF_HUB_OFFLINE forbids to ask the hub`);
  }
  try {
    return await download(name, cached, environment, output);
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    throw new HubError(
      `checkpoint ${text} is no directory here and is not in ${cache}, and ${error.message}`,
      { cause: error },
    );
  }
}

async function download(
  name: HubName,
  cached: CachedRepository,
  environment: Environment,
  output: ProgressOutput,
): Promise<string> {
  const endpoint = (environment["HF_ENDPOINT"] || publicEndpoint).replace(/\/+$/, "");
  if (!URL.canParse(endpoint)) throw new HubError(`HF_ENDPOINT "${endpoint}" is no URL`);
  const client = new HubClient(endpoint, environment["HF_TOKEN"] || null);
  const { commit, files } = await client.revision(name);
  const needed = neededFiles(files);
  if (!needed.some((file) => (tokenizerFiles as readonly string[]).includes(file))) {
    throw new HubError(
      `${endpoint}/${name.repository} has neither ${tokenizerFiles.join(" nor ")}`,
    );
  }
  const progress = downloadProgress(output);
  for (const fileName of needed) {
    if (cached.hasFile(commit, fileName)) continue;
    const file = await client.file(name.repository, commit, fileName);
    const source = {
      name: `${name.repository}/${fileName}`,
      file,
      content: (start: number) => client.content(name.repository, commit, fileName, start),
    };
    await downloadBlob(source, cached.blob(file.hash), progress);
    cached.link(commit, fileName, file.hash);
  }
  cached.remember(name.revision, commit);
  return cached.snapshot(commit);
}

function kindOf(path: string): "directory" | "other" | "nothing" {
  try {
    return statSync(path).isDirectory() ? "directory" : "other";
  } catch {
    return "nothing";
  }
}
