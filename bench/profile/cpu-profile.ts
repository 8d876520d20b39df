/**
 * What a CPU profile says: where samples fell, by function and by folder of the source.
 *
 * Contract   samples are counted, not the time between them: the profiler takes none while the
 *            program waits, and gives the wait to the sample that follows. Native code (a
 *            comparison of bytes, a copy) is named with the function that called it.
 */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The part of the Chrome DevTools format that is read; times are in microseconds since 1970. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly startTime: number;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export interface ProfileShare {
  /** A function, with the one that called it where it is native; or a folder. */
  readonly name: string;
  /** The file of the source, from the root of its checkout; "" where there is none. */
  readonly place: string;
  /** Of all samples, 0 to 1. */
  readonly part: number;
}

export interface ProfileSummary {
  readonly samples: number;
  readonly functions: readonly ProfileShare[];
  readonly folders: readonly ProfileShare[];
}

interface Place {
  readonly name: string;
  readonly place: string;
  readonly folder: string;
}

/** @param window milliseconds since 1970 of the samples that count */
export function summarizeProfile(
  profile: CpuProfile,
  sourceRoot: string,
  window: { readonly fromMs: number; readonly toMs: number },
): ProfileSummary {
  const places = placesOf(profile, sourceRoot);
  const counts = new Map<number, number>();
  let atMicroseconds = profile.startTime;
  let samples = 0;
  for (const [index, id] of profile.samples.entries()) {
    atMicroseconds += profile.timeDeltas[index] ?? 0;
    const atMs = atMicroseconds / 1000;
    if (atMs < window.fromMs || atMs > window.toMs) continue;
    counts.set(id, (counts.get(id) ?? 0) + 1);
    samples += 1;
  }
  const functions = new Map<string, { share: Place; count: number }>();
  const folders = new Map<string, number>();
  for (const [id, count] of counts) {
    const share = places.get(id) ?? { name: "", place: "", folder: "" };
    const key = `${share.name} ${share.place}`;
    functions.set(key, { share, count: (functions.get(key)?.count ?? 0) + count });
    folders.set(share.folder, (folders.get(share.folder) ?? 0) + count);
  }
  return {
    samples,
    functions: [...functions.values()]
      .map(({ share: { name, place }, count }) => ({ name, place, part: count / samples }))
      .sort(byPart),
    folders: [...folders]
      .map(([name, count]) => ({ name, place: "", part: count / samples }))
      .sort(byPart),
  };
}

function byPart(left: ProfileShare, right: ProfileShare): number {
  return right.part - left.part;
}

/** How each node is called: by itself, or by its nearest caller in the source. */
function placesOf({ nodes }: CpuProfile, sourceRoot: string): Map<number, Place> {
  const parents = new Map<number, number>();
  for (const { id, children = [] } of nodes) for (const child of children) parents.set(child, id);
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const places = new Map<number, Place>();
  for (const { id, callFrame } of nodes) {
    let callerId: number | undefined = id;
    let path: string | null = null;
    while (callerId !== undefined && path === null) {
      path = sourcePath(frames.get(callerId)?.url ?? "", sourceRoot);
      if (path === null) callerId = parents.get(callerId);
    }
    const own = callFrame.functionName || "(anonymous)";
    const caller = callerId === undefined ? undefined : frames.get(callerId)?.functionName;
    const name = callerId === id || caller === undefined ? own : `${own} in ${caller}`;
    places.set(id, { name, place: path ?? "", folder: folderOf(path) });
  }
  return places;
}

/** null for what is no file below the root, or belongs to a package. */
function sourcePath(url: string, sourceRoot: string): string | null {
  if (!url.startsWith("file:")) return null;
  const path = relative(sourceRoot, fileURLToPath(url));
  return path.startsWith("..") || path.startsWith("node_modules") ? null : path;
}

/** "src/json", "src/upstream" */
function folderOf(path: string | null): string {
  if (path === null) return "runtime";
  return path.split("/").slice(0, 2).join("/");
}
