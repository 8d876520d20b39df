// spec: huggingface_hub, "Understand caching"
/**
 * The local HuggingFace cache: one folder a repository with `refs` (a branch or tag to its commit),
 * `snapshots` (a commit to its files, as links) and `blobs` (the files by their hash).
 *
 * Contract   shared with Python's huggingface_hub, both ways. Finding writes nothing.
 */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative } from "node:path";
import { tokenizerFiles } from "./hub-files.ts";
import type { HubName } from "./hub-name.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** HF_HUB_CACHE, or the folder `hub` below HF_HOME, or below the user's cache directory. */
export function hubCacheDirectory(environment: Environment): string {
  const given = environment["HF_HUB_CACHE"] || environment["HUGGINGFACE_HUB_CACHE"];
  if (given) return withHome(given);
  const home = environment["HF_HOME"];
  if (home) return join(withHome(home), "hub");
  const userCache = environment["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  return join(withHome(userCache), "huggingface", "hub");
}

function withHome(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}

const commit = /^[0-9a-f]{40}$/;

/** One repository in the cache, whether it is there or not. */
export class CachedRepository {
  readonly #directory: string;

  constructor(cache: string, { repository }: HubName) {
    this.#directory = join(cache, `models--${repository.replaceAll("/", "--")}`);
  }

  /** The commit that a revision had when it was last asked for; null when it never was. */
  commitOf(revision: string): string | null {
    if (commit.test(revision)) return revision;
    try {
      const text = readFileSync(join(this.#directory, "refs", revision), "utf8").trim();
      return commit.test(text) ? text : null;
    } catch {
      return null;
    }
  }

  /** Directory of a commit's files. */
  snapshot(ofCommit: string): string {
    return join(this.#directory, "snapshots", ofCommit);
  }

  /** Whether the snapshot has what a tokenizer is made of. */
  isComplete(ofCommit: string): boolean {
    const has = (name: string): boolean => existsSync(join(this.snapshot(ofCommit), name));
    return has("tokenizer_config.json") && tokenizerFiles.some(has);
  }

  /** Path of the file with this hash, whether it is there or not. */
  blob(hash: string): string {
    return join(this.#directory, "blobs", hash);
  }

  hasFile(ofCommit: string, name: string): boolean {
    return existsSync(join(this.snapshot(ofCommit), name));
  }

  /** Makes a blob a file of a snapshot. */
  link(ofCommit: string, name: string, hash: string): void {
    const path = join(this.snapshot(ofCommit), name);
    mkdirSync(dirname(path), { recursive: true });
    // Renaming replaces at once what another process may have put there.
    const temporary = `${path}.${process.pid}.new`;
    symlinkSync(relative(dirname(path), this.blob(hash)), temporary);
    renameSync(temporary, path);
  }

  /** Remembers which commit a revision is. */
  remember(revision: string, itsCommit: string): void {
    if (revision === itsCommit) return;
    const path = join(this.#directory, "refs", revision);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, itsCommit);
  }
}
