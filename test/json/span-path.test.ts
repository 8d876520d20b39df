import { describe, expect, test } from "bun:test";
import { SpanPath } from "../../src/json/span-path.ts";
import { jsonNestingMax } from "../../src/limits.ts";

const key = (path: SpanPath, name: string) => path.takeKey(Buffer.from(name));

describe("SpanPath", () => {
  test("is in a meta_info behind choices, an element and its key, and nowhere else", () => {
    const path = new SpanPath();
    path.open(true);
    key(path, "choices");
    path.open(false);
    path.open(true);
    path.close();
    path.nextElement();
    path.open(true);
    key(path, "meta_info");
    path.open(true);
    expect([path.inMetaInfo, path.choiceIndex, path.depth]).toEqual([true, 1, 4]);
    path.open(true);
    expect(path.inMetaInfo).toBe(false);
    path.close();
    expect(path.inMetaInfo).toBe(true);
    path.close();
    expect([path.inMetaInfo, path.inObject, path.watchesKeys]).toEqual([false, true, true]);
  });

  test("forgets a key after the comma", () => {
    const path = new SpanPath();
    path.open(true);
    key(path, "choices");
    path.nextElement();
    path.open(false);
    path.open(true);
    expect(path.watchesKeys).toBe(false);
  });

  test("reads keys as a JSON parser does, up to the longest way to write one", () => {
    const path = new SpanPath();
    path.open(true);
    key(path, "\\u0063hoices");
    path.open(false);
    path.open(true);
    key(path, "meta\\u005Finfo");
    path.open(true);
    expect(path.inMetaInfo).toBe(true);
    const longest = [..."routed_experts"]
      .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join("");
    expect(key(path, longest)).toBe("routed_experts");
    expect(key(path, "indexer_topk")).toBe("indexer_topk");
    expect(key(path, `${longest} `)).toBeNull();
    expect(key(path, "indexer_topk\\u0000")).toBeNull();
  });

  test("is full at the nesting limit", () => {
    const path = new SpanPath();
    for (let depth = 0; depth < jsonNestingMax; depth += 1) path.open(false);
    expect(path.isFull).toBe(true);
    expect(() => path.open(false)).toThrow("nesting limit");
  });
});
