import { describe, expect, test } from "bun:test";
import { placeSystemMessages } from "../../src/core/system-placement.ts";
import { parseJson, writeJson } from "../../src/json/lossless.ts";
import type { JsonObject } from "../../src/json/values.ts";

/** "s:a u:b" as messages, and back. */
function messages(text: string): JsonObject[] {
  const roles: Record<string, string> = {
    d: "developer",
    s: "system",
    u: "user",
    a: "assistant",
    t: "tool",
  };
  return text.split(" ").map(
    (word) =>
      new Map([
        ["role", roles[word[0] ?? ""] ?? ""],
        ["content", word.slice(2)],
      ]),
  );
}

function placed(text: string, systemAnywhere = false): string {
  return placeSystemMessages(messages(text), systemAnywhere)
    .map((one) => `${String(one.get("role"))[0]}:${String(one.get("content"))}`)
    .join(" ");
}

describe("placeSystemMessages()", () => {
  test.each([
    ["u:a", "u:a"],
    ["s:x u:a", "s:x u:a"],
    ["s:x s:y u:a", "s:x\n\ny u:a"],
    ["s:x s: u:a", "s:x u:a"],
    ["s:x u:a s:y a:b s:z", "s:x u:a u:y a:b u:z"],
    ["u:a s:x", "u:a u:x"],
    ["s:x s:y", "s:x\n\ny"],
    ["s:x d:y s:z u:a d:b", "s:x\n\nz d:y u:a u:b"],
  ])("%j becomes %j", (given, expected) => {
    expect(placed(given)).toBe(expected);
  });

  test("leaves system messages where they may stand, but for the role that none may append", () => {
    expect(placed("s:x s:y u:a s:z", true)).toBe("s:x s:y u:a s:z");
    expect(placed("d:x u:a d:y", true)).toBe("d:x u:a s:y");
  });

  test("changes nothing more when it is done again", () => {
    const once = placeSystemMessages(messages("s:x s:y u:a s:z"), false);
    expect(placeSystemMessages(once, false)).toEqual(once);
  });

  test("leaves the client's messages alone", () => {
    const given = messages("s:x s:y u:a s:z");
    const before = writeJson(given);
    placeSystemMessages(given, false);
    expect(writeJson(given)).toBe(writeJson(parseJson(before)));
  });
});
