// spec: huggingface_hub, file_download.py; the hub's API "models/{repo}/revision/{revision}"
/**
 * What a HuggingFace hub answers about a repository: its files, what each of them is, its bytes.
 *
 * Contract   the token goes to the endpoint alone, never to a host that it redirects to.
 * Reports    HubError for every answer that is not the expected one.
 * Not here   where files go (blob-download.ts), trying again (likewise).
 */
import { errorText } from "../errors.ts";
import { hubRedirectsMax } from "../limits.ts";
import { HubError } from "./hub-error.ts";
import type { HubName } from "./hub-name.ts";

export interface HubRevision {
  readonly commit: string;
  readonly files: readonly string[];
}

export interface HubFile {
  /** Hash that names the content: SHA-256 of large files, Git's SHA-1 of others. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
}

/** Characters of an answer's body that an error quotes. */
const quotedLength = 200;
const commitPattern = /^[0-9a-f]{40}$/;
/** It becomes the name of a file. */
const hashPattern = /^[0-9A-Za-z][0-9A-Za-z_-]{7,127}$/;

export class HubClient {
  readonly #endpoint: string;
  readonly #token: string | null;

  /** @param endpoint such as https://huggingface.co, without a slash at the end */
  constructor(endpoint: string, token: string | null) {
    this.#endpoint = endpoint;
    this.#token = token;
  }

  async revision({ repository, revision }: HubName): Promise<HubRevision> {
    const path = `/api/models/${repository}/revision/${encodeURIComponent(revision)}`;
    const response = await this.#request("GET", path, {});
    const answer: unknown = await this.#json(response, path);
    const { sha, siblings } = (answer ?? {}) as { sha?: unknown; siblings?: unknown };
    if (typeof sha !== "string" || !commitPattern.test(sha) || !Array.isArray(siblings)) {
      throw new HubError(`${this.#endpoint}${path} answered without "sha" and "siblings"`);
    }
    const files = siblings.map((sibling: { rfilename?: unknown }) => sibling?.rfilename);
    return { commit: sha, files: files.filter((name) => typeof name === "string") };
  }

  async file(repository: string, commit: string, name: string): Promise<HubFile> {
    const path = filePath(repository, commit, name);
    const { headers } = await this.#request("HEAD", path, {}, { toOtherHosts: false });
    const hash = (headers.get("x-linked-etag") ?? headers.get("etag") ?? "")
      .replace(/^W\//, "")
      .replace(/^"(.*)"$/, "$1");
    const size = Number(headers.get("x-linked-size") ?? headers.get("content-length") ?? "");
    if (!hashPattern.test(hash) || !Number.isSafeInteger(size)) {
      throw new HubError(`${this.#endpoint}${path} answered without a usable ETag and size`);
    }
    return { hash, size };
  }

  /** The file from byte `start` on; status 200 instead of 206 means from its beginning. */
  content(repository: string, commit: string, name: string, start: number): Promise<Response> {
    const range = start > 0 ? { range: `bytes=${start}-` } : {};
    return this.#request("GET", filePath(repository, commit, name), range);
  }

  async #request(
    method: string,
    path: string,
    headers: Record<string, string>,
    { toOtherHosts } = { toOtherHosts: true },
  ): Promise<Response> {
    let url = this.#endpoint + path;
    for (let redirects = 0; redirects <= hubRedirectsMax; redirects += 1) {
      const isEndpoint = new URL(url).origin === new URL(this.#endpoint).origin;
      const authorization = isEndpoint && this.#token !== null ? this.#authorization() : {};
      const response = await this.#fetch(method, url, { ...headers, ...authorization });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status > 399 || location === null) {
        await this.#requireSuccess(response, url);
        return response;
      }
      const next = new URL(location, url);
      // A large file is described by the answer that redirects to where it is stored.
      if (!toOtherHosts && next.origin !== new URL(url).origin) return response;
      await response.body?.cancel();
      url = next.href;
    }
    throw new HubError(`${this.#endpoint}${path} redirects more than ${hubRedirectsMax} times`);
  }

  async #fetch(method: string, url: string, headers: Record<string, string>): Promise<Response> {
    try {
      return await fetch(url, {
        method,
        headers: { "accept-encoding": "identity", ...headers },
        redirect: "manual",
      });
    } catch (error) {
      const reason = `${url} cannot be reached: ${errorText(error)}`;
      throw new HubError(reason, { cause: error, mayPass: true });
    }
  }

  #authorization(): Record<string, string> {
    return { authorization: `Bearer ${this.#token}` };
  }

  async #requireSuccess(response: Response, url: string): Promise<void> {
    if (response.ok) return;
    const reason = response.headers.get("x-error-message") ?? (await response.text());
    const quoted = reason.trim().slice(0, quotedLength);
    throw new HubError(
      `${url} answered ${response.status}${quoted === "" ? "" : ` (${quoted})`}` +
        this.#hint(response.status),
      { mayPass: response.status === 429 || response.status >= 500 },
    );
  }

  #hint(status: number): string {
    if (status !== 401 && status !== 403 && status !== 404) return "";
    return this.#token === null
      ? ": the repository does not exist, or needs a token in HF_TOKEN"
      : ": the repository does not exist, or HF_TOKEN may not read it";
  }

  async #json(response: Response, path: string): Promise<unknown> {
    try {
      return await response.json();
    } catch (error) {
      throw new HubError(`${this.#endpoint}${path} answered something that is not JSON`, {
        cause: error,
      });
    }
  }
}

function filePath(repository: string, commit: string, name: string): string {
  const encoded = name.split("/").map(encodeURIComponent).join("/");
  return `/${repository}/resolve/${commit}/${encoded}`;
}
