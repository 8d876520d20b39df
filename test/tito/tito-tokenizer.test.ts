import { describe, expect, test } from "bun:test";
import type { TitoFamily } from "../../src/config.ts";
import { InvalidRequestError } from "../../src/errors.ts";
import { parseJson } from "../../src/json/lossless.ts";
import { jsonEqual } from "../../src/json/python-equality.ts";
import { pythonJson } from "../../src/json/python-json.ts";
import type { JsonObject, JsonValue } from "../../src/json/values.ts";
import { withRenderableCalls } from "../../src/tito/append-base.ts";
import { createTitoTokenizer } from "../../src/tito/tito-tokenizer.ts";
import { type Checkpoint, loadCheckpoint } from "../../src/tokenizer/checkpoint.ts";
import { CheckpointError } from "../../src/tokenizer/checkpoint-error.ts";
import { testCheckpoint } from "../fixtures/checkpoints.ts";

const noKwargs: JsonObject = new Map();

function object(json: string): JsonObject {
  return parseJson(json) as JsonObject;
}

function messagesOf(json: string): JsonObject[] {
  return parseJson(json) as JsonObject[];
}

async function tito(family: TitoFamily, kwargs = noKwargs) {
  const name = family === "deepseekv32" ? "deepseekv32" : "qwen3";
  const checkpoint = await testCheckpoint(name);
  return createTitoTokenizer({ family, checkpoint, chatTemplateKwargs: kwargs });
}

/** The result, or the text of the InvalidRequestError; anything else that is thrown fails. */
async function outcome<Result>(run: () => Result | Promise<Result>): Promise<Result | string> {
  try {
    return await run();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidRequestError);
    return (error as InvalidRequestError).message;
  }
}

/**
 * Random conversations with what the Python original made of them; see the members below. Where it
 * raised, the kind of exception stands under "error".
 */
const vectors = parseJson(
  await Bun.file(new URL("tito-tokenizer.vectors.json", import.meta.url)).text(),
) as JsonObject[];

describe(`${vectors.length} conversations of the original`, () => {
  for (const [index, vector] of vectors.entries()) {
    const member = (name: string): JsonValue => vector.get(name) ?? null;
    const family = member("family") as TitoFamily;
    test(`case ${index}, ${family} on ${member("checkpoint")}`, async () => {
      const checkpoint = await testCheckpoint(
        member("checkpoint") === "dsv32" ? "deepseekv32" : "qwen3",
      );
      const tokenizer = createTitoTokenizer({
        family,
        checkpoint,
        chatTemplateKwargs: noKwargs,
      }).withRequestKwargs(member("kwargs") as JsonObject);
      const sorted = (kwargs: JsonValue) => pythonJson(kwargs, { sortKeys: true });
      expect(sorted(tokenizer.chatTemplateKwargs)).toBe(sorted(member("effective")));

      const stored = member("stored") as JsonObject[];
      const appended = member("appended") as JsonObject[];
      const tools = member("tools");
      const full = await outcome(() =>
        tokenizer.renderPrompt([...stored, ...appended], tools, {
          addGenerationPrompt: member("gp") as boolean,
        }),
      );
      expectSameOutcome(full, member("full"));

      const lastToken = member("last") as number;
      const merged = await outcome(async () => {
        const added = await tokenizer.appendTokens(stored, appended, lastToken, tools);
        return [...[7, lastToken].slice(0, 2 - added.dropLast), ...added.tokens];
      });
      // What a model wrote as arguments is none of its client's mistakes: append-base.test.ts.
      const turn = stored.at(-1) ?? noKwargs;
      const isRefused = member("merged") instanceof Map;
      if (!isRefused || jsonEqual(withRenderableCalls(turn), turn)) {
        expectSameOutcome(merged, member("merged"));
      }

      if (vector.has("mismatch")) {
        const actual = member("actual") as number[];
        const mismatches = await tokenizer.compare(full as number[], actual);
        expect(mismatches).toEqual(JSON.parse(pythonJson(member("mismatch"))));
      }
    });
  }
});

function expectSameOutcome(outcome: number[] | string, expected: JsonValue): void {
  if (expected instanceof Map) {
    expect(outcome, `the original raised ${expected.get("error")}`).toBeString();
  } else {
    expect(outcome).toEqual(expected as number[]);
  }
}

describe("createTitoTokenizer() refuses at start", () => {
  async function refusal(family: TitoFamily, checkpoint: Checkpoint): Promise<string> {
    try {
      createTitoTokenizer({ family, checkpoint, chatTemplateKwargs: noKwargs });
    } catch (error) {
      expect(error).toBeInstanceOf(CheckpointError);
      return (error as CheckpointError).message;
    }
    throw new Error("nothing was thrown");
  }

  test("a checkpoint without the family's tokens", async () => {
    expect(await refusal("qwen3", await testCheckpoint("deepseekv32"))).toContain(
      'has no token <|im_end|>, which the TITO family "qwen3" needs',
    );
    expect(await refusal("deepseekv32", await testCheckpoint("qwen3"))).toContain(
      "has no token <｜User｜>",
    );
  });

  test("a checkpoint that nothing can render", async () => {
    const checkpoint = { ...(await testCheckpoint("qwen3")), chatTemplate: null };
    expect(await refusal("default", checkpoint)).toContain("has no chat template: expected");
  });

  test("a template of one's own with a family that has one", async () => {
    const checkpoint = { ...(await testCheckpoint("qwen3")), hasCustomChatTemplate: true };
    expect(await refusal("qwen3", checkpoint)).toContain('use the family "default"');
  });
});

describe("withRequestKwargs()", () => {
  test("adds to the configured kwargs and leaves the original alone", async () => {
    const base = await tito("qwen3", object('{"enable_thinking": true}'));
    const scoped = base.withRequestKwargs(object('{"enable_thinking": false, "x": 1.0}'));
    expect(pythonJson(scoped.chatTemplateKwargs)).toBe(
      '{"enable_thinking": false, "clear_thinking": false, "x": 1.0}',
    );
    expect(pythonJson(base.chatTemplateKwargs)).toBe(
      '{"enable_thinking": true, "clear_thinking": false}',
    );
  });

  test("reports a conflict in the original's words, with Python's repr", async () => {
    const conflict = (family: TitoFamily, kwargs: string) =>
      outcome(async () => (await tito(family)).withRequestKwargs(object(kwargs)));
    expect(await conflict("qwen3", '{"clear_thinking": true}')).toBe(
      "chat template kwarg clear_thinking=True conflicts with the value registered for " +
        "Qwen3TITOTokenizer: False",
    );
    expect(await conflict("deepseekv32", '{"drop_thinking": {"a": [1.0, null, "\'"]}}')).toBe(
      "chat template kwarg drop_thinking={'a': [1.0, None, \"'\"]} conflicts with the value " +
        "registered for DeepSeekV32TITOTokenizer: False",
    );
  });

  test("takes an equal value in Python's sense for no conflict", async () => {
    const scoped = (await tito("qwen3")).withRequestKwargs(object('{"clear_thinking": 0}'));
    expect(scoped.chatTemplateKwargs.get("clear_thinking")).toBe(false);
  });

  test("replaces the aliases of DeepSeek's thinking mode as a group", async () => {
    const base = await tito("deepseekv32", object('{"thinking_mode": "chat"}'));
    expect(base.chatTemplateKwargs.get("thinking")).toBe(false);
    const scoped = base.withRequestKwargs(object('{"enable_thinking": true}'));
    expect(pythonJson(scoped.chatTemplateKwargs, { sortKeys: true })).toBe(
      '{"drop_thinking": false, "enable_thinking": true, "thinking": true}',
    );
  });

  test("refuses names that belong to the server or that the encoder does not know", async () => {
    const refused = (family: TitoFamily, kwargs: string) =>
      outcome(async () => (await tito(family)).withRequestKwargs(object(kwargs)));
    expect(await refused("qwen3", '{"messages": []}')).toBe(
      "chat_template_kwargs.messages is reserved by the server",
    );
    expect(await refused("deepseekv32", '{"foo": 1}')).toStartWith(
      "chat_template_kwargs.foo is unknown to the DeepSeek V3.2 encoder",
    );
    expect(await refused("deepseekv32", '{"thinking_mode": "loud"}')).toBe(
      'chat_template_kwargs.thinking_mode must be "thinking" or "chat"',
    );
  });
});

describe("errors name the client's message", () => {
  const history = messagesOf(`[{"role": "user", "content": "a"}, {"role": "user", "content": "b"},
    {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "type": "function",
      "function": {"name": "run", "arguments": "{"}}]}]`);
  const result = messagesOf('[{"role": "tool", "content": "x"}]');

  test("in a whole render", async () => {
    const message = await outcome(async () =>
      (await tito("qwen3")).renderPrompt(history, null, { addGenerationPrompt: true }),
    );
    expect(message).toStartWith(
      "messages[2].tool_calls[0].function.arguments is not valid JSON: Expecting property name",
    );
  });

  test("but not the model's, in the stored turn that a run is appended to", async () => {
    const added = await outcome(async () =>
      (await tito("qwen3")).appendTokens(history, result, 1, null),
    );
    expect(added).toMatchObject({ tokens: expect.any(Array) });
  });

  test("in an appended run that has calls", async () => {
    const appended = [...result, ...history.slice(1)];
    const message = await outcome(async () =>
      (await tito("qwen3")).appendTokens(history, appended, 1, null),
    );
    expect(message).toStartWith("messages[5].tool_calls[0].function.arguments is not valid JSON");
  });

  test("in the appended run, with and without tools", async () => {
    const stored = messagesOf('[{"role": "user", "content": "a"}, {"role": "assistant"}]');
    const tools = parseJson('[{"type": "function", "function": {"name": "run"}}]');
    for (const given of [null, tools]) {
      const message = await outcome(async () =>
        (await tito("deepseekv32")).appendTokens(stored, result, 1, given),
      );
      expect(message).toBe("messages[2] is a tool result without a tool call that it answers");
    }
  });

  test("and say what is wrong where it is in no single message", async () => {
    const tokenizer = await tito("qwen3");
    const options = { addGenerationPrompt: true };
    expect(await outcome(() => tokenizer.renderPrompt([], null, options))).toContain(
      "messages is empty",
    );
    const lone = messagesOf('[{"role": "user", "content": "\\ud800"}]');
    expect(await outcome(() => tokenizer.renderPrompt(lone, null, options))).toContain(
      "lone surrogate U+D800",
    );
    const list = messagesOf('[{"role": "system", "content": ["a"]}]');
    expect(await outcome(() => tokenizer.renderPrompt(list, null, options))).toContain(
      "Chat template rendering failed",
    );
  });
});

describe("appendTokens()", () => {
  test("does not look at the history before the stored turn", async () => {
    const tokenizer = await tito("qwen3");
    const unreadable = new Proxy(new Map<string, JsonValue>(), {
      get() {
        throw new Error("the history was read");
      },
    });
    const stored = [unreadable, unreadable, ...messagesOf('[{"role": "assistant"}]')];
    const appended = messagesOf('[{"role": "user", "content": "b"}]');
    const added = await tokenizer.appendTokens(stored, appended, undefined, null);
    expect(added.tokens).toEqual([151644, 872, 198, 65, 151645, 198, 151644, 77091, 198]);
  });

  test("adds the line feed of Qwen3 after the end of a turn only", async () => {
    const tokenizer = await tito("qwen3");
    const stored = messagesOf('[{"role": "assistant"}]');
    const after = async (last: number | undefined) =>
      (await tokenizer.appendTokens(stored, [], last, null)).tokens;
    expect(await after(151645)).toEqual([198, 151644, 77091, 198]);
    expect(await after(198)).toEqual([151644, 77091, 198]);
    expect(await after(undefined)).toEqual([151644, 77091, 198]);
  });

  test("reports a template that is not append-only", async () => {
    const checkpoint = await loadCheckpoint(null, { chatTemplatePath: null });
    const { compileChatTemplate } = await import("../../src/chat-template/chat-template.ts");
    const counting = compileChatTemplate("{{ messages | length }}", "counting");
    const tokenizer = createTitoTokenizer({
      family: "default",
      checkpoint: { ...checkpoint, chatTemplate: counting },
      chatTemplateKwargs: noKwargs,
    });
    const stored = messagesOf('[{"role": "assistant"}]');
    const appended = messagesOf('[{"role": "user", "content": "b"}]');
    expect(await outcome(() => tokenizer.appendTokens(stored, appended, 1, null))).toBe(
      "the chat template cannot append messages without changing what stands before them " +
        '(appended roles: "user")',
    );
  });
});
