/**
 * The span scanner against JSON.parse on generated replies and on damaged ones.
 */
import { describe, expect, test } from "bun:test";
import { SpanSyntaxError } from "../../src/json/span-error.ts";
import { type Random, randomFrom, seedOf } from "../harness/random.ts";
import { randomChunks, reassemble, type Scan, scanChunks } from "./span-scan.ts";

const payloadNames = ["routed_experts", "indexer_topk"];

interface Member {
  readonly name: string;
  readonly text: string;
}

/** Writes random JSON text: white space and escapes, and duplicate keys when wanted. */
class ReplyWriter {
  readonly #random: Random;
  readonly #duplicateKeys: boolean;

  constructor(random: Random, { duplicateKeys }: { duplicateKeys: boolean }) {
    this.#random = random;
    this.#duplicateKeys = duplicateKeys;
  }

  reply(): string {
    const choices = this.#array(() => this.#choice(), 3);
    const others = ["choices", "meta_info", ...payloadNames, "id", ""];
    return (
      this.#space() +
      this.#object([this.#member("choices", choices), ...this.#anyMembers(3, others)]) +
      this.#space()
    );
  }

  #choice(): string {
    if (this.#random.chance(0.1)) return this.#value(2);
    const metaInfo = this.#object(this.#anyMembers(5, [...payloadNames, ...payloadNames, "id"]));
    return this.#object([
      this.#member("meta_info", metaInfo),
      ...this.#anyMembers(2, ["message", "meta_info", "routed_experts", "index"]),
    ]);
  }

  #anyMembers(most: number, names: readonly string[]): Member[] {
    return this.#times(most, () => this.#member(this.#random.pick(names), this.#value(3)));
  }

  #value(depth: number): string {
    switch (this.#random.integer(depth > 0 ? 0 : 2, 6)) {
      case 0:
        return this.#array(() => this.#value(depth - 1), 4);
      case 1:
        return this.#object(this.#anyMembers(3, ["a", "meta_info", ...payloadNames]));
      case 2:
        return this.#random.pick(["true", "false", "null"]);
      case 3:
        return this.#random.pick(["0", "-0", "17", "-1.50", "2e9", "0.1E-7", "123456789012"]);
      case 4:
        return `[${this.#times(12, () => String(this.#random.integer(0, 300))).join(",")}]`;
      default:
        return this.#string();
    }
  }

  #string(): string {
    const pieces = [
      "a",
      "routed_experts",
      "\\n",
      '\\"',
      "\\\\",
      "\\u00e9",
      "\\ud800",
      "é你😀",
      "/",
    ];
    const text = this.#times(6, () => this.#random.pick(pieces)).join("");
    const long = this.#random.chance(0.2) ? "QUJD".repeat(this.#random.integer(10, 200)) : "";
    return `"${text}${long}"`;
  }

  #member(name: string, value: string): Member {
    const letters = [...name].map((letter) =>
      this.#random.chance(0.03)
        ? `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`
        : letter,
    );
    return { name, text: `"${letters.join("")}"${this.#space()}:${this.#space()}${value}` };
  }

  #array(element: () => string, most: number): string {
    const elements = this.#times(most, () => this.#space() + element() + this.#space());
    return `[${elements.length > 0 ? elements.join(",") : this.#space()}]`;
  }

  #object(members: readonly Member[]): string {
    const kept = this.#duplicateKeys
      ? members
      : [...new Map(members.map((member) => [member.name, member])).values()];
    const texts = this.#shuffled(kept.map(({ text }) => this.#space() + text + this.#space()));
    return `{${texts.length > 0 ? texts.join(",") : this.#space()}}`;
  }

  #space(): string {
    return this.#random.chance(0.15) ? this.#random.pick([" ", "\n", "\r\n\t", "  "]) : "";
  }

  #times<Value>(most: number, make: () => Value): Value[] {
    return Array.from({ length: this.#random.integer(0, most) }, make);
  }

  #shuffled(list: string[]): string[] {
    return list
      .map((item) => ({ item, order: this.#random.integer(0, 1_000) }))
      .sort((one, other) => one.order - other.order)
      .map(({ item }) => item);
  }
}

interface Expected {
  value: unknown;
  payloads: Map<string, unknown>;
}

/** What the original does with a parsed reply. */
function stripped(text: string): Expected {
  const value = JSON.parse(text);
  const payloads = new Map<string, unknown>();
  if (Array.isArray(value.choices)) {
    for (const [index, choice] of value.choices.entries()) {
      const metaInfo = choice?.meta_info;
      if (typeof metaInfo !== "object" || metaInfo === null || Array.isArray(metaInfo)) continue;
      if (Array.isArray(choice)) continue;
      for (const name of payloadNames) {
        if (!Object.hasOwn(metaInfo, name)) continue;
        payloads.set(`${name}/${index}`, metaInfo[name]);
        delete metaInfo[name];
      }
    }
  }
  return { value, payloads };
}

function found(result: Scan): Map<string, unknown> {
  return new Map(
    result.payloads.map(({ choiceIndex, name, value }) => [
      `${name}/${choiceIndex}`,
      JSON.parse(value.toString()),
    ]),
  );
}

describe("SpanScanner", () => {
  const seed = seedOf("span scanner");

  test.each([false, true])(
    "agrees with JSON.parse on replies, however they are cut; duplicate keys: %p",
    (duplicateKeys) => {
      const random = randomFrom(seed);
      const writer = new ReplyWriter(random, { duplicateKeys });
      let payloadCount = 0;
      for (let round = 0; round < 2_000; round += 1) {
        const text = writer.reply();
        const bytes = Buffer.from(text);
        const result = scanChunks(randomChunks(bytes, random));
        const expected = stripped(text);
        expect(JSON.parse(result.skeleton)).toEqual(expected.value);
        expect(reassemble(result).equals(bytes)).toBe(true);
        // Of duplicates only the last counts in the original, while all of them are stripped.
        if (!duplicateKeys) expect(found(result)).toEqual(expected.payloads);
        payloadCount += result.payloads.length;
      }
      expect(payloadCount).toBeGreaterThan(1_000);
    },
  );

  test("accepts a damaged reply exactly when JSON.parse does", () => {
    const random = randomFrom(seed + 1);
    const writer = new ReplyWriter(random, { duplicateKeys: true });
    let accepted = 0;
    for (let round = 0; round < 6_000; round += 1) {
      const bytes = damaged(Buffer.from(writer.reply()), random);
      const isJson = parses(bytes);
      if (isJson) accepted += 1;
      const outcome = attempt(() => scanChunks(randomChunks(bytes, random)));
      if (outcome instanceof Error) {
        if (isJson) throw new Error(`${outcome.message} in ${bytes.toString("latin1")}`);
        expect(outcome).toBeInstanceOf(SpanSyntaxError);
      } else {
        if (!isJson) throw new Error(`accepted: ${bytes.toString("latin1")}`);
        expect(reassemble(outcome).equals(bytes)).toBe(true);
      }
    }
    expect(accepted).toBeGreaterThan(300);
  });
});

function damaged(bytes: Buffer, random: Random): Buffer {
  const at = random.integer(0, bytes.length - 1);
  const byte = random.pick([...Buffer.from('{}[],:"\\ \n0123456789-+.eEtfnu/b\u0001'), 0xff, 0xc3]);
  switch (random.integer(0, 3)) {
    case 0:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), Buffer.of(byte), bytes.subarray(at)]);
    case 2:
      return bytes.subarray(0, at);
    default: {
      const copy = Buffer.from(bytes);
      copy[at] = byte;
      return copy;
    }
  }
}

/** Latin-1 keeps every byte apart; JSON's grammar only looks at ASCII. */
function parses(bytes: Buffer): boolean {
  return !(attempt(() => JSON.parse(bytes.toString("latin1"))) instanceof SyntaxError);
}

function attempt<Result>(run: () => Result): Result | SpanSyntaxError | SyntaxError {
  try {
    return run();
  } catch (error) {
    if (error instanceof SpanSyntaxError || error instanceof SyntaxError) return error;
    throw error;
  }
}
