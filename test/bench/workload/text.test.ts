import { expect, test } from "bun:test";
import { TextSource } from "../../../bench/workload/text.ts";
import { testCheckpoint } from "../../fixtures/checkpoints.ts";

test("TextSource gives texts of exactly the tokens that were asked for", async () => {
  const { tokenizer } = await testCheckpoint("qwen3");
  const source = await TextSource.create(tokenizer, 7);
  for (const kind of ["prose", "tool_output"] as const) {
    for (const count of [1, 2, 17, 100, 2_000]) {
      expect(await tokenizer.encode(await source.text(kind, count))).toHaveLength(count);
    }
  }
});

test("TextSource gives the same texts for the same seed only", async () => {
  const { tokenizer } = await testCheckpoint("qwen3");
  const texts = [7, 7, 8].map(async (seed) => {
    const source = await TextSource.create(tokenizer, seed);
    return source.text("tool_output", 50);
  });
  const [first, same, other] = await Promise.all(texts);
  expect(same).toBe(first as string);
  expect(other).not.toBe(first as string);
});
