import { expect, test } from "bun:test";
import type { TitoFamily } from "../../src/config.ts";
import { familyDefinitions } from "../../src/tito/families.ts";
import { turnEnds } from "../../src/tito/turn-ends.ts";
import { familyCheckpoint } from "../fixtures/family-checkpoints.ts";

function ends(family: TitoFamily, history: string): Promise<string[]> {
  const checkpoint = familyCheckpoint(family);
  const { tokenizer } = checkpoint;
  const variants = turnEnds(familyDefinitions[family], checkpoint);
  return Promise.all(
    variants.map(async (end) => tokenizer.decode(end(await tokenizer.encode(history)))),
  );
}

test("turnEnds() takes the line feed off that the model does not write", async () => {
  expect(await ends("qwen3", "a<|im_end|>\n")).toEqual(["a<|im_end|>"]);
  expect(await ends("qwen3", "a\n")).toEqual(["a\n"]);
  expect(await ends("minimax_m25", "a[e~[\n")).toEqual(["a[e~["]);
});

test("turnEnds() adds each opener that the model may stop at", async () => {
  expect(await ends("glm47", "a")).toEqual(["a<|user|>", "a<|observation|>"]);
});

test("turnEnds() leaves a turn that is joined as it is", async () => {
  expect(await ends("default", "a\n")).toEqual(["a\n"]);
});
