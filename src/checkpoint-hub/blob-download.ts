/**
 * Brings one file of the hub into the cache, from where an earlier try ended.
 *
 * Contract   a blob appears whole and checked, or not at all: bytes go to `<blob>.part`, whose size
 *            and hash are checked before it takes the blob's name. A connection that breaks is
 *            made again from the byte that it broke at.
 * Reports    HubError after `hubFailuresMax` connections that brought nothing, or when the content
 *            is wrong.
 */
import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { errorText } from "../errors.ts";
import { hubFailuresMax } from "../limits.ts";
import { withDownloadLock } from "./download-lock.ts";
import type { DownloadProgress } from "./download-progress.ts";
import type { HubFile } from "./hub-client.ts";
import { HubError } from "./hub-error.ts";

export interface BlobSource {
  /** For progress and errors. */
  readonly name: string;
  readonly file: HubFile;
  /** The content from a byte on; status 206, or 200 for the whole of it. */
  content(start: number): Promise<Response>;
}

/** Milliseconds before the first new connection; each further one waits twice as long. */
const retryDelayMs = 50;

export async function downloadBlob(
  source: BlobSource,
  blob: string,
  progress: DownloadProgress,
): Promise<void> {
  if (existsSync(blob)) return;
  mkdirSync(dirname(blob), { recursive: true });
  await withDownloadLock(`${blob}.lock`, async () => {
    // Another process may have brought it while this one waited.
    if (existsSync(blob)) return;
    const part = `${blob}.part`;
    await fetchRest(source, part, progress);
    await check(source, part);
    renameSync(part, blob);
  });
}

async function fetchRest(
  source: BlobSource,
  part: string,
  progress: DownloadProgress,
): Promise<void> {
  const { name, file } = source;
  progress.start(name, file.size);
  let failures = 0;
  for (;;) {
    const start = sizeOf(part);
    progress.reach(start);
    if (start >= file.size && existsSync(part)) break;
    let reason: unknown = "it ended early";
    try {
      await append(await source.content(start), part, start, progress);
    } catch (error) {
      if (error instanceof HubError && !error.mayPass) throw error;
      reason = error;
    }
    if (sizeOf(part) > start) failures = 0;
    else failures += 1;
    if (failures === hubFailuresMax) throw connectionFailed(source, start, reason);
    if (failures > 0) await Bun.sleep(retryDelayMs * 2 ** failures);
  }
  progress.end();
}

function connectionFailed({ name, file }: BlobSource, start: number, reason: unknown): HubError {
  return new HubError(
    `${name}: ${hubFailuresMax} connections in a row brought nothing, at byte ${start} of ` +
      `${file.size} (${errorText(reason)}); starting again goes on from there`,
    { cause: reason },
  );
}

async function append(
  response: Response,
  part: string,
  start: number,
  progress: DownloadProgress,
): Promise<void> {
  const isRest = response.status === 206;
  const handle: FileHandle = await open(part, isRest && start > 0 ? "a" : "w");
  let written = isRest ? start : 0;
  try {
    for await (const chunk of response.body ?? []) {
      await handle.writeFile(chunk);
      written += chunk.length;
      progress.reach(written);
    }
  } finally {
    await handle.close();
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** A wrong part is removed: it would be wrong again. */
async function check({ name, file }: BlobSource, part: string): Promise<void> {
  const size = sizeOf(part);
  const hash = size === file.size ? await contentHash(part, file) : null;
  if (hash === file.hash) return;
  rmSync(part, { force: true });
  const what = hash === null ? `${size} bytes instead of ${file.size}` : `the hash ${hash}`;
  throw new HubError(`${name} arrived with ${what}; expected ${file.hash}`);
}

/** The hash of the kind that names the file; a name of another kind is taken as it is. */
async function contentHash(path: string, { hash, size }: HubFile): Promise<string> {
  const isSha256 = /^[0-9a-f]{64}$/.test(hash);
  if (!isSha256 && !/^[0-9a-f]{40}$/.test(hash)) return hash;
  const hasher = createHash(isSha256 ? "sha256" : "sha1");
  if (!isSha256) hasher.update(`blob ${size}\0`);
  for await (const chunk of createReadStream(path)) hasher.update(chunk);
  return hasher.digest("hex");
}
