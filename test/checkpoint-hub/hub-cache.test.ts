import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { CachedRepository, hubCacheDirectory } from "../../src/checkpoint-hub/hub-cache.ts";

const root = mkdtempSync(join(tmpdir(), "session-server-hub-cache-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test("hubCacheDirectory() follows HF_HUB_CACHE, HF_HOME, then the user's cache", () => {
  expect(hubCacheDirectory({ HF_HUB_CACHE: "/a", HF_HOME: "/b" })).toBe("/a");
  expect(hubCacheDirectory({ HF_HUB_CACHE: "", HF_HOME: "~/b" })).toBe(join(homedir(), "b/hub"));
  expect(hubCacheDirectory({ XDG_CACHE_HOME: "/c" })).toBe("/c/huggingface/hub");
  expect(hubCacheDirectory({})).toBe(join(homedir(), ".cache/huggingface/hub"));
});

describe("CachedRepository", () => {
  const commit = "a".repeat(40);
  const cached = new CachedRepository(root, { repository: "org/m", revision: "main" });

  test("knows a commit by its ref once that is remembered, and by itself", () => {
    expect(cached.commitOf("main")).toBeNull();
    cached.remember("main", commit);
    cached.remember(commit, commit);
    expect(cached.commitOf("main")).toBe(commit);
    expect(cached.commitOf(commit)).toBe(commit);
  });

  test("is complete with a tokenizer and its configuration, however links are replaced", () => {
    mkdirSync(join(root, "models--org--m/blobs"), { recursive: true });
    writeFileSync(cached.blob("hash"), "x");
    cached.link(commit, "tiktoken.model", "hash");
    expect(cached.isComplete(commit)).toBe(false);
    cached.link(commit, "tokenizer_config.json", "hash");
    cached.link(commit, "tokenizer_config.json", "hash");
    cached.link(commit, "additional_chat_templates/x.jinja", "hash");
    expect(cached.isComplete(commit)).toBe(true);
    const nested = join(cached.snapshot(commit), "additional_chat_templates/x.jinja");
    expect(readFileSync(nested, "utf8")).toBe("x");
  });
});
