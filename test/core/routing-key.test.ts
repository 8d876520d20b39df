import { expect, test } from "bun:test";
import { withRoutingKey } from "../../src/core/routing-key.ts";

test("withRoutingKey() replaces what a client sent, and keeps the other headers", () => {
  const sent: [string, string][] = [
    ["x-smg-routing-key", "forged"],
    ["accept", "*/*"],
    ["x-smg-routing-key", "again"],
  ];
  expect(withRoutingKey(sent, "ab12")).toEqual([
    ["accept", "*/*"],
    ["x-smg-routing-key", "ab12"],
  ]);
});

test.each([
  ["a b", "a%20b"],
  ["a\r\nb", "a%0D%0Ab"],
  ["é", "%C3%A9"],
  ["\ud800", "%EF%BF%BD"],
])("withRoutingKey() escapes the id %j, which is no header value", (sessionId, value) => {
  expect(withRoutingKey([], sessionId)).toEqual([["x-smg-routing-key", value]]);
});
