import { expect, test } from "bun:test";
import { HubError } from "../../src/checkpoint-hub/hub-error.ts";

test("HubError is final unless it says otherwise", () => {
  expect(new HubError("gone").mayPass).toBe(false);
  expect(new HubError("busy", { mayPass: true }).mayPass).toBe(true);
});
