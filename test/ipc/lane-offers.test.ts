import { describe, expect, test } from "bun:test";
import { LaneOffers } from "../../src/ipc/lane-offers.ts";
import type { StreamBody } from "../../src/stream-body.ts";

function bodyThatTells() {
  const released = Promise.withResolvers<void>();
  let isReleased = false;
  const body: StreamBody = {
    byteLength: null,
    chunks: {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: true, value: undefined }),
        return: async () => {
          isReleased = true;
          released.resolve();
          return { done: true, value: undefined };
        },
      }),
    },
  };
  return { body, released: released.promise, isReleased: () => isReleased };
}

describe("claim", () => {
  test("gives the body once, and nothing for a token that was never offered", () => {
    const offers = new LaneOffers();
    const { body, isReleased } = bodyThatTells();
    const token = offers.offer(body, {});
    expect(offers.claim("0".repeat(32))).toBeNull();
    expect(offers.claim(token)).toBe(body);
    expect(offers.claim(token)).toBeNull();
    expect(offers.count).toBe(0);
    expect(isReleased()).toBe(false);
  });
});

describe("release", () => {
  test("happens to what a closed channel announced, and to nothing else", () => {
    const offers = new LaneOffers();
    const [closing, open] = [{}, {}];
    const [first, second, third] = [bodyThatTells(), bodyThatTells(), bodyThatTells()];
    offers.offer(first.body, closing);
    const token = offers.offer(second.body, open);
    offers.offer(third.body, closing);
    offers.releaseAnnouncedBy(closing);
    expect([first, second, third].map((each) => each.isReleased())).toEqual([true, false, true]);
    expect(offers.claim(token)).toBe(second.body);
  });

  test("happens to what nobody claims in time", async () => {
    const offers = new LaneOffers(1);
    const { body, released } = bodyThatTells();
    const token = offers.offer(body, {});
    await released;
    expect(offers.claim(token)).toBeNull();
  });
});
