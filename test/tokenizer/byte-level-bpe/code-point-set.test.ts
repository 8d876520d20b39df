import { describe, expect, test } from "bun:test";
import { CodePointSet } from "../../../src/tokenizer/byte-level-bpe/code-point-set.ts";
import { randomFrom, seedOf } from "../../harness/random.ts";

const universe = 64;

function membersOf(set: CodePointSet): number[] {
  return Array.from({ length: universe }, (_, codePoint) => codePoint).filter((codePoint) =>
    set.has(codePoint),
  );
}

function setOf(members: Iterable<number>): CodePointSet {
  return CodePointSet.fromRanges([...members].map((member) => [member, member]));
}

test("union(), intersection(), complement() agree with arithmetic on members", () => {
  const random = randomFrom(seedOf("code point sets"));
  const members = (): number[] =>
    Array.from({ length: universe }, (_, codePoint) => codePoint).filter(() => random.chance(0.5));
  for (let round = 0; round < 300; round += 1) {
    const [left, right] = [members(), members()];
    const [leftSet, rightSet] = [setOf(left), setOf(right)];
    expect(membersOf(leftSet)).toEqual(left);
    const union = left.concat(right).sort((a, b) => a - b);
    expect(membersOf(leftSet.union(rightSet))).toEqual([...new Set(union)]);
    expect(membersOf(leftSet.intersection(rightSet))).toEqual(
      left.filter((member) => right.includes(member)),
    );
    const outside = (member: number): boolean => !left.includes(member);
    expect(membersOf(leftSet.complement())).toEqual([...Array(universe).keys()].filter(outside));
    expect(leftSet.complement().complement().written()).toBe(leftSet.written());
  }
});

test("parse() reads what written() gives", () => {
  for (const set of [
    CodePointSet.empty,
    CodePointSet.empty.complement(),
    CodePointSet.fromRanges([
      [0, 0],
      [97, 122],
      [0x10_0000, 0x10_ffff],
    ]),
  ]) {
    expect([...CodePointSet.parse(set.written()).ranges()]).toEqual([...set.ranges()]);
  }
});

describe("characterClass()", () => {
  test("matches the members and nothing else", () => {
    const set = CodePointSet.fromRanges([
      [0x2d, 0x2d],
      [0x5b, 0x5e],
      [0x1f600, 0x1f610],
    ]);
    const matches = new RegExp(`^${set.characterClass()}$`, "u");
    for (const member of [0x2d, 0x5b, 0x5d, 0x5e, 0x1f600, 0x1f610]) {
      expect(matches.test(String.fromCodePoint(member))).toBe(true);
    }
    for (const other of [0x2c, 0x5a, 0x5f, 0x1f5ff, 0x1f611]) {
      expect(matches.test(String.fromCodePoint(other))).toBe(false);
    }
  });
});
