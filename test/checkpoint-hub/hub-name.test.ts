import { expect, test } from "bun:test";
import { parseHubName } from "../../src/checkpoint-hub/hub-name.ts";

test("parseHubName() takes a repository, with or without a revision", () => {
  expect(parseHubName("Qwen/Qwen3-8B")).toEqual({ repository: "Qwen/Qwen3-8B", revision: "main" });
  expect(parseHubName("gpt2@refs/pr/1")).toEqual({ repository: "gpt2", revision: "refs/pr/1" });
});

test("parseHubName() refuses what could lead out of the cache", () => {
  const refused = [
    "",
    ".",
    "a/b/c",
    "../x",
    "a/..",
    "a--b/c",
    "a/b@",
    "a/b@../x",
    "/a",
    "a b",
    "a.",
  ];
  expect(refused.filter((text) => parseHubName(text) !== null)).toEqual([]);
});
