import { describe, expect, test } from "bun:test";
import { TokenHistory } from "../../src/trajectory/token-history.ts";
import { randomFrom, seedOf } from "../harness/random.ts";

/** The pieces of a prompt's text as one string. */
function promptText(history: TokenHistory, kept: number, dropLast: number, added: number[]) {
  return Buffer.concat(history.promptText(kept, dropLast, added)).toString();
}

describe("TokenHistory", () => {
  test("starts empty", () => {
    const history = new TokenHistory(0);
    expect(history.checkpointCount).toBe(0);
    expect([...history.latest()]).toEqual([]);
    expect(history.view(0)).toEqual({ length: 0, lastToken: undefined });
    expect(promptText(history, 0, 0, [1, 2])).toBe("1,2");
  });

  test("commit() on the latest checkpoint extends it", () => {
    const history = new TokenHistory(0);
    history.commit(0, 0, [1, 2, 3]);
    expect(promptText(history, 1, 0, [4])).toBe("1,2,3,4");
    history.commit(1, 0, [4, 5]);
    expect([...history.latest()]).toEqual([1, 2, 3, 4, 5]);
    expect(history.view(1)).toEqual({ length: 3, lastToken: 3 });
  });

  test("a rollback restores the ids that a later turn dropped", () => {
    const history = new TokenHistory(1);
    history.commit(0, 0, [1, 2, 3]);
    history.commit(1, 1, [9, 9, 9]);
    expect([...history.latest()]).toEqual([1, 2, 9, 9, 9]);
    expect(history.view(1)).toEqual({ length: 3, lastToken: 3 });
    expect(promptText(history, 1, 0, [4])).toBe("1,2,3,4");
    history.commit(1, 0, [4]);
    expect([...history.latest()]).toEqual([1, 2, 3, 4]);
  });

  test("promptText() changes nothing", () => {
    const history = new TokenHistory(1);
    history.commit(0, 0, [1, 2, 3]);
    history.commit(1, 0, [4, 5]);
    history.promptText(0, 0, [7]);
    history.promptText(1, 1, [7]);
    expect([...history.latest()]).toEqual([1, 2, 3, 4, 5]);
    expect(promptText(history, 2, 1, [])).toBe("1,2,3,4");
  });

  test("equals whole lists kept per checkpoint, over random turns and rollbacks", () => {
    const seed = seedOf("token-history");
    const random = randomFrom(seed);
    for (let round = 0; round < 200; round++) {
      const maxTrim = random.integer(0, 3);
      const history = new TokenHistory(maxTrim);
      const model: number[][] = [];
      for (let turn = 0; turn < 20; turn++) {
        const kept = random.integer(0, model.length);
        const base = model[kept - 1] ?? [];
        const dropLast = Math.min(random.integer(0, maxTrim), base.length);
        const appended = Array.from(
          { length: random.integer(Math.max(1, dropLast), random.pick([4, 40])) },
          () => random.integer(0, 200_000),
        );
        const expected = [...base.slice(0, base.length - dropLast), ...appended];
        expect(promptText(history, kept, dropLast, appended)).toBe(expected.join(","));
        model.length = kept;
        model.push(expected);
        history.commit(kept, dropLast, appended);
        expect([...history.latest()]).toEqual(expected);
        expect(history.view(kept).length).toBe(base.length);
        expect(history.view(kept).lastToken).toBe(base.at(-1));
      }
    }
  });

  test.each([0, 1, 3])("a prompt writes what it adds, not its history: drops %i", (dropLast) => {
    const history = new TokenHistory(dropLast);
    history.commit(0, 0, [1, 2, 3, 4]);
    const written: number[] = [];
    for (let turn = 1; turn <= 50; turn += 1) {
      const [kept, added] = history.promptText(turn, dropLast, [100_001, 100_002, 100_003]);
      expect(kept?.length ?? 0).toBeGreaterThanOrEqual(7 * (turn - 2));
      written.push(added?.length ?? 0);
      history.commit(turn, dropLast, [100_001, 100_002, 100_003, 100_004]);
    }
    expect(new Set(written.slice(1)).size).toBe(1);
  });
});
