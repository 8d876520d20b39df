import { expect, test } from "bun:test";
import { popSmallest, pushNumber } from "../../../src/tokenizer/byte-level-bpe/number-heap.ts";
import { randomFrom, seedOf } from "../../harness/random.ts";

test("popSmallest() gives what pushNumber() took in ascending order, also when they alternate", () => {
  const random = randomFrom(seedOf("number-heap"));
  for (let round = 0; round < 200; round++) {
    const heap: number[] = [];
    const model: number[] = [];
    for (let step = 0; step < 100; step++) {
      if (model.length > 0 && random.chance(0.4)) {
        model.sort((left, right) => left - right);
        expect(popSmallest(heap)).toBe(model.shift() as number);
      } else {
        // Few values, so that equal ones meet.
        const entry = random.integer(0, 50) * 2 ** 32;
        pushNumber(heap, entry);
        model.push(entry);
      }
    }
    expect(heap).toHaveLength(model.length);
  }
});
