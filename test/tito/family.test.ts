import { expect, test } from "bun:test";
import { allAppendRoles, noKwargs } from "../../src/tito/family.ts";

test("allAppendRoles are the roles of the API that may follow a generated turn", () => {
  expect([...allAppendRoles]).toEqual(["tool", "user", "system", "assistant"]);
  expect(noKwargs.size).toBe(0);
});
