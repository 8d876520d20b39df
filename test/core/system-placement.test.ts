import { describe, expect, test } from "bun:test";
import type { TitoFamily } from "../../src/config.ts";
import { placeSystemMessages, takesSystemAnywhere } from "../../src/core/system-placement.ts";
import { parseJson, writeJson } from "../../src/json/lossless.ts";
import type { JsonObject } from "../../src/json/values.ts";
import { createTitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { testCheckpoint } from "../fixtures/checkpoints.ts";

/** "s:a u:b" as messages, and back. */
function messages(text: string): JsonObject[] {
  const roles: Record<string, string> = { s: "system", u: "user", a: "assistant", t: "tool" };
  return text.split(" ").map(
    (word) =>
      new Map([
        ["role", roles[word[0] ?? ""] ?? ""],
        ["content", word.slice(2)],
      ]),
  );
}

function placed(text: string): string {
  return placeSystemMessages(messages(text))
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
  ])("%j becomes %j", (given, expected) => {
    expect(placed(given)).toBe(expected);
  });

  test("changes nothing more when it is done again", () => {
    const once = placeSystemMessages(messages("s:x s:y u:a s:z"));
    expect(placeSystemMessages(once)).toEqual(once);
  });

  test("leaves the client's messages alone", () => {
    const given = messages("s:x s:y u:a s:z");
    const before = writeJson(given);
    placeSystemMessages(given);
    expect(writeJson(given)).toBe(writeJson(parseJson(before)));
  });
});

describe("takesSystemAnywhere()", () => {
  test.each([
    ["qwen3", true],
    ["qwen35", false],
  ] as [TitoFamily, boolean][])("of the family %s is %p", async (family, expected) => {
    const checkpoint = await testCheckpoint("qwen3");
    const tito = createTitoTokenizer({ family, checkpoint, chatTemplateKwargs: new Map() });
    expect(await takesSystemAnywhere(tito)).toBe(expected);
  });
});
