/**
 * What the Python original renders and appends for families with a rendering of their own. Made by
 * scripts/make-family-vectors.py; null stands where the original raises.
 */
import { expect, test } from "bun:test";
import type { TitoFamily } from "../../src/config.ts";
import { InvalidRequestError } from "../../src/errors.ts";
import { parseJson } from "../../src/json/lossless.ts";
import { jsonEqual } from "../../src/json/python-equality.ts";
import type { JsonObject, JsonValue } from "../../src/json/values.ts";
import { withRenderableCalls } from "../../src/tito/append-base.ts";
import { familyOnTest } from "../fixtures/family-checkpoints.ts";

const packed = await Bun.file(new URL("families.vectors.jsonl.gz", import.meta.url)).bytes();
const lines = new TextDecoder().decode(Bun.gunzipSync(packed)).trimEnd().split("\n");
const vectors = lines.map((line) => parseJson(line) as JsonObject);
const families = new Set(vectors.map((vector) => vector.get("family") as TitoFamily));

function hasUnreadableArguments(turn: JsonObject | undefined): boolean {
  return turn !== undefined && !jsonEqual(withRenderableCalls(turn), turn);
}

/** The text, or null when the request is refused. */
async function outcome(action: () => Promise<string>): Promise<string | null> {
  try {
    return await action();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidRequestError);
    return null;
  }
}

test("there are 2,400 vectors of 8 families", () => {
  expect([vectors.length, families.size]).toEqual([2_400, 8]);
});

for (const family of families) {
  test(`${family} renders and appends as the original does`, async () => {
    const { tito, tokenizer } = familyOnTest(family);
    const ofFamily = vectors.filter((vector) => vector.get("family") === family);
    for (const [index, vector] of ofFamily.entries()) {
      const member = (name: string): JsonValue => vector.get(name) ?? null;
      const stored = member("stored") as JsonObject[];
      const appended = member("appended") as JsonObject[];
      const tools = member("tools");
      const scoped = tito.withRequestKwargs(member("kwargs") as JsonObject);
      const options = { addGenerationPrompt: member("addGenerationPrompt") === true };
      const prompt = await outcome(async () =>
        tokenizer.decode(await scoped.renderPrompt([...stored, ...appended], tools, options)),
      );
      expect(prompt, `prompt ${index}`).toBe(member("prompt") as string | null);
      const last = vector.get("last");
      // The original renders V4's whole history again. One that it refuses was refused before.
      if (last === undefined || (family === "deepseekv4" && prompt === null)) continue;
      const prefix = await tokenizer.encode(last as string);
      const merged = await outcome(async () => {
        const run = await scoped.appendTokens(stored, appended, prefix.at(-1), tools);
        return tokenizer.decode([...prefix.slice(0, prefix.length - run.dropLast), ...run.tokens]);
      });
      // What a model wrote as arguments is none of its client's mistakes: append-base.test.ts.
      if (vector.get("merged") === null && hasUnreadableArguments(stored.at(-1))) continue;
      expect(merged, `appended ${index}`).toBe(member("merged") as string | null);
    }
  });
}
