import { describe, expect, test } from "bun:test";
import { freshRender } from "../../src/core/fresh-render.ts";
import { InvalidRequestError } from "../../src/errors.ts";
import { familyOnTest } from "../fixtures/family-checkpoints.ts";
import { objects } from "../fixtures/json.ts";

const { tito, tokenizer } = familyOnTest("qwen3");

const conversation = (written: string) =>
  objects(
    JSON.stringify([
      { role: "user", content: "q" },
      {
        role: "assistant",
        content: "a",
        tool_calls: [{ function: { name: "f", arguments: written } }],
      },
    ]),
  );

describe("freshRender()", () => {
  test("is the whole render, and with {} for arguments that cannot be rendered", async () => {
    const [readable = [], unreadable = []] = await Promise.all(
      ['{"x": 1}', "nope"].map((written) => freshRender(tito, conversation(written), null)),
    );
    expect(await tokenizer.decode(readable)).toContain('"arguments": {"x": 1}');
    expect(await tokenizer.decode(unreadable)).toContain('"arguments": {}');
  });

  test("refuses what cannot be rendered for another reason", async () => {
    const messages = objects('[{"role": "system", "content": ["a"]}]');
    await expect(freshRender(tito, messages, null)).rejects.toBeInstanceOf(InvalidRequestError);
  });
});
