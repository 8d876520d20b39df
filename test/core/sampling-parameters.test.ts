import { describe, expect, test } from "bun:test";
import { applySessionParameters, type WrittenMembers } from "../../src/core/sampling-parameters.ts";
import { parseSessionSettings } from "../../src/trajectory/session-settings.ts";

function applied(request: string, settings: object, room: number | null = null): string {
  const members: WrittenMembers = new Map();
  for (const member of request === "" ? [] : request.split(";")) {
    members.set(JSON.parse(member.slice(0, member.indexOf(":"))), member);
  }
  const parsed = parseSessionSettings(Buffer.from(JSON.stringify(settings)));
  applySessionParameters(members, parsed, room);
  return [...members.values()].join(";");
}

describe("applySessionParameters()", () => {
  test("leaves everything alone without settings", () => {
    expect(applied('"temperature":1.0;"x": 7', {})).toBe('"temperature":1.0;"x": 7');
  });

  test("defaults stand where the agent says nothing", () => {
    const settings = { default_sampling_params: { temperature: 0.5, top_k: 20 } };
    expect(applied('"temperature":1.0', settings)).toBe('"temperature":1.0;"top_k":20');
  });

  test("null is nothing said, under either name", () => {
    const settings = { default_sampling_params: { temperature: 0.5, max_tokens: 10 } };
    expect(applied('"temperature": null;"max_completion_tokens":null', settings)).toBe(
      '"temperature":0.5;"max_tokens":10',
    );
    expect(applied('"temperature": null', {})).toBe('"temperature": null');
    expect(applied('"max_tokens":"null"', settings)).toBe('"max_tokens":"null";"temperature":0.5');
  });

  test("pinned parameters replace the agent's, in place, and stand above defaults", () => {
    const settings = {
      pinned_sampling_params: { temperature: 1 },
      default_sampling_params: { temperature: 0.5 },
    };
    expect(applied('"temperature":0;"seed":1', settings)).toBe('"temperature":1;"seed":1');
    expect(applied("", settings)).toBe('"temperature":1');
  });

  test("both names of the completion limit are one parameter", () => {
    const pinned = { pinned_sampling_params: { max_tokens: 10 } };
    expect(applied('"max_completion_tokens":99', pinned)).toBe('"max_tokens":10');
    const standard = { default_sampling_params: { max_tokens: 10 } };
    expect(applied('"max_completion_tokens":99', standard)).toBe('"max_completion_tokens":99');
  });

  test.each([
    ["", '"max_tokens":50'],
    ['"max_tokens":20', '"max_tokens":20'],
    ['"max_tokens":51', '"max_tokens":50'],
    ['"max_tokens":null', '"max_tokens":50'],
    ['"max_tokens":99999999999999999999', '"max_tokens":50'],
    ['"max_completion_tokens":99', '"max_completion_tokens":50'],
    ['"max_tokens":"many"', '"max_tokens":"many"'],
  ])("a completion has no more room than its session: %s", (request, expected) => {
    expect(applied(request, {}, 50)).toBe(expected);
  });

  test("the room also limits what is pinned", () => {
    expect(applied("", { pinned_sampling_params: { max_tokens: 100 } }, 50)).toBe(
      '"max_tokens":50',
    );
  });
});
