import { describe, expect, test } from "bun:test";
import type { TitoFamily } from "../../src/config.ts";
import { familyDefinitions } from "../../src/tito/families.ts";
import { createTitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { turnEnds } from "../../src/tito/turn-ends.ts";
import { checkTurn, type VerifiedFamily } from "../../src/verify/turn-check.ts";
import { familyCheckpoint } from "../fixtures/family-checkpoints.ts";
import { object, objects } from "../fixtures/json.ts";

function verified(family: TitoFamily, template = ""): VerifiedFamily {
  const checkpoint = familyCheckpoint(family, template);
  return {
    tito: createTitoTokenizer({ family, checkpoint, chatTemplateKwargs: object("{}") }),
    tokenizer: checkpoint.tokenizer,
    ends: turnEnds(familyDefinitions[family], checkpoint),
  };
}

const conversation = {
  name: "test",
  messages: objects(`[{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"},
    {"role": "user", "content": "r"}]`),
  tools: null,
  generated: [1],
};

describe("checkTurn()", () => {
  test("finds nothing where the render only grows", async () => {
    expect(await checkTurn(verified("qwen3"), conversation, 1)).toEqual({ kind: "equal" });
    const plain = "{% for m in messages %}<{{ m.content }}>{% endfor %}";
    expect(await checkTurn(verified("default", plain), conversation, 1)).toEqual({ kind: "equal" });
  });

  test("finds a history that changes when it grows", async () => {
    const counting = "{{ messages | length }}{% for m in messages %}{{ m.content }}{% endfor %}";
    expect(await checkTurn(verified("default", counting), conversation, 1)).toEqual({
      kind: "history changed",
      difference: { expected: "3qar", actual: "2qa", equalTokens: 0 },
    });
  });

  test("finds appended text that depends on more than what is kept of the history", async () => {
    const late =
      "{% for m in messages %}[{{ m.content }}{{ messages[0].content if loop.index > 2 }}]{% endfor %}";
    const finding = await checkTurn(verified("default", late), conversation, 1);
    expect(finding.kind).toBe("tokens differ");
  });

  test("tells a render that fails from a role that is not taken", async () => {
    const strict =
      "{% for m in messages %}{% if loop.index > 2 %}{{ raise_exception('two') }}{% endif %}{% endfor %}";
    expect(await checkTurn(verified("default", strict), conversation, 1)).toEqual({
      kind: "refused",
      reason: expect.stringContaining("two"),
    });
    const system = objects('[{"role": "user"}, {"role": "assistant"}, {"role": "system"}]');
    const appended = { ...conversation, messages: system };
    expect(await checkTurn(verified("qwen35"), appended, 1)).toEqual({
      kind: "not taken",
      role: "system",
    });
  });
});
