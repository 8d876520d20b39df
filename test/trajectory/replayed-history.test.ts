import { describe, expect, test } from "bun:test";
import { InvalidRequestError } from "../../src/errors.ts";
import { parseJson, writeJson } from "../../src/json/lossless.ts";
import type { JsonObject, JsonValue } from "../../src/json/values.ts";
import { LinearTrajectory } from "../../src/trajectory/linear-trajectory.ts";
import { planReplay, recognisedMessages } from "../../src/trajectory/replayed-history.ts";

const message = (value: object) => parseJson(JSON.stringify(value)) as JsonObject;
const plain = (messages: readonly JsonObject[]) => JSON.parse(writeJson([...messages]));

const user = (content: string) => ({ role: "user", content });
const tool = (tool_call_id: string) => ({
  role: "tool",
  tool_call_id,
  content: `of ${tool_call_id}`,
});
const call = (id: string, args = "{}") => ({
  ...{ id, type: "function" },
  function: { name: "f", arguments: args },
});
const reply = (content: string, ...tool_calls: object[]) => ({
  role: "assistant",
  content,
  ...(tool_calls.length === 0 ? {} : { tool_calls }),
});

function recognised(stored: object[], request: object[]): unknown {
  return plain(recognisedMessages(stored.map(message), request.map(message)));
}

describe("recognisedMessages()", () => {
  const stored = [user("q"), reply("Let me look.", call("c1"), call("c2"))];
  const results = [tool("c1"), tool("c2")];

  test.each([
    [
      "calls beside their results",
      [reply("Let me look.", call("c1")), tool("c1"), reply("", call("c2")), tool("c2")],
    ],
    [
      "each part alone",
      [reply("Let me look."), reply("", call("c1")), reply("", call("c2")), ...results],
    ],
    [
      "calls in front of the text",
      [reply("", call("c1"), call("c2")), reply("Let me look."), ...results],
    ],
    ["no text", [reply("", call("c1")), tool("c1"), reply("", call("c2")), tool("c2")]],
  ])("puts a reply together that came as %s", (_what, pieces) => {
    const [, whole, ...rest] = recognised(stored, [user("q"), ...pieces]) as object[];
    expect(whole).toMatchObject({ role: "assistant", tool_calls: [call("c1"), call("c2")] });
    expect(rest).toEqual(results);
  });

  test("goes on after a reply that came in pieces", () => {
    const more = [...stored, ...results, reply("Done.", call("c3"), call("c4"))];
    const pieces = [
      ...[
        user("q"),
        reply("Let me look.", call("c1")),
        tool("c1"),
        reply("", call("c2")),
        tool("c2"),
      ],
      ...[reply("Done.", call("c3")), tool("c3"), reply("", call("c4")), tool("c4"), user("b")],
    ];
    expect(recognised(more, pieces)).toEqual([...more, tool("c3"), tool("c4"), user("b")]);
  });

  test.each([
    [
      "another call",
      [reply("Let me look.", call("c1")), tool("c1"), reply("", call("c3", '{"a":1}'))],
    ],
    [
      "a message of the user between",
      [reply("Let me look.", call("c1")), user("b"), reply("", call("c2"))],
    ],
    ["a call less", [reply("Let me look.", call("c1")), tool("c1"), user("b")]],
    ["too many calls", [reply("Let me look.", call("c1")), reply("", call("c2"), call("c5"))]],
  ])("leaves pieces of another reply as they are: %s", (_what, pieces) => {
    const request = [user("q"), ...pieces];
    expect(recognised(stored, request)).toEqual(request);
  });

  test("puts a reply back that said nothing and was left out", () => {
    const silent = [user("q"), reply("\n")];
    expect(recognised(silent, [user("q"), user("b")])).toEqual([...silent, user("b")]);
    expect(recognised(silent, [user("q")])).toEqual([user("q")]);
    expect(recognised(silent, [user("q"), reply(""), user("b")])).toHaveLength(3);
    const spoken = [user("q"), user("b")];
    expect(recognised([user("q"), reply("a")], spoken)).toEqual(spoken);
  });

  test("lets results answer the ids that are stored", () => {
    const renamed = [user("q"), reply("", call("functions_f_0")), tool("functions_f_0")];
    const [, , result] = recognised(
      [user("q"), reply("", call("functions.f:0"))],
      renamed,
    ) as object[];
    expect(result).toEqual({ ...tool("functions_f_0"), tool_call_id: "functions.f:0" });
  });

  const answering = (tool_call_id: string, content: string) => ({
    ...{ role: "tool", tool_call_id, content },
  });

  test("lets results answer the ids that are stored, also where a turn is sent again", () => {
    const turns = [user("q"), reply("", call("X")), answering("X", "r"), reply("done")];
    const again = [user("q"), reply("", call("y")), answering("y", "r changed")];
    const [, , result] = recognised(turns, again) as object[];
    expect(result).toEqual(answering("X", "r changed"));
  });

  test("takes an id for one of the latest reply before the result", () => {
    const turns = [
      ...[user("q"), reply("", call("X")), answering("X", "r")],
      reply("", call("call_0", '{"a": 1}')),
    ];
    const request = [
      ...[user("q"), reply("", call("call_0")), answering("call_0", "r")],
      ...[reply("", call("call_0", '{"a":1}')), answering("call_0", "s")],
    ];
    expect((recognised(turns, request) as object[]).at(-1)).toEqual(answering("call_0", "s"));
    const foreign = [...request.slice(0, 3), reply("", call("call_0", "[]")), tool("call_0")];
    expect((recognised(turns, foreign) as object[]).at(-1)).toEqual(tool("call_0"));
  });

  test("absorbs any number of empty messages behind a reply, and none that says more", () => {
    const empty = message(reply(""));
    const more = [message(reply("Done.")), message(user("b"))];
    const rest = Array.from({ length: 200_000 }, () => empty);
    const turns = stored.map(message);
    const again = recognisedMessages(turns, [...turns.slice(0, 1), message(stored[1] ?? {})]);
    const found = recognisedMessages(turns, [...again, ...rest, ...more]);
    expect(plain(found)).toEqual([...stored, ...plain(more)]);
  });

  test("compares calls only where all of them can be there, once", () => {
    let readings = 0;
    /** Whose arguments count how often they are read. */
    class CountedFunction extends Map<string, JsonValue> {
      override get(name: string): JsonValue | undefined {
        if (name === "arguments") readings += 1;
        return super.get(name);
      }
    }
    const own = message(reply("Let me look.", call("c1"), call("c2", '{"a": 1}')));
    const calls = own.get("tool_calls") as JsonObject[];
    for (const one of calls)
      one.set("function", new CountedFunction(one.get("function") as JsonObject));
    const turns = [message(user("q")), own];
    const pieces = [reply("", call("d1"), call("d2", '{"a": 2}'))];
    const silent = Array.from({ length: 20_000 }, () => message(reply(" ")));
    const letters = Array.from({ length: 20_000 }, () => message(reply("x")));
    const request = [message(user("q")), ...pieces.map(message)];
    expect(recognisedMessages(turns, [...request, ...silent])).toHaveLength(20_002);
    expect(recognisedMessages(turns, [...request, ...letters])).toHaveLength(20_002);
    expect(readings).toBeLessThan(200);
  });

  test("puts a reply together from any number of pieces", () => {
    const letters = 100_000;
    const turns = [message(user("q")), message(reply("x".repeat(letters), call("c1")))];
    const pieces = Array.from({ length: letters }, () => message(reply("x")));
    const request = [message(user("q")), ...pieces, message(reply("", call("c1")))];
    expect(plain(recognisedMessages(turns, request))).toEqual(plain(turns));
  });
});

describe("planReplay()", () => {
  const anyRole = new Set(["user", "assistant", "tool", "system"]);

  function trajectoryOf(turns: [request: object[], reply: object][]): LinearTrajectory {
    const trajectory = new LinearTrajectory(0);
    for (const [request, assistantMessage] of turns) {
      const plan = planReplay(trajectory, request.map(message), anyRole);
      trajectory.commit(plan, {
        dropLast: 0,
        tokens: [trajectory.revision],
        assistantMessage: message(assistantMessage),
        tools: { text: "", value: null },
        messagesText: writeJson(request.map(message)),
        matchedSegments: 0,
      });
    }
    return trajectory;
  }

  const system = { role: "system", content: "s" };
  const first = [system, user("q")];
  const trajectory = trajectoryOf([[first, reply("a")]]);
  const plan = (request: object[]) => planReplay(trajectory, request.map(message), anyRole);

  test("continues with messages that are recognised", () => {
    const pieces = [...first, reply(" a"), user("b")];
    expect(plan(pieces)).toMatchObject({ checkpointCount: 1, appended: [message(user("b"))] });
  });

  test.each([
    ["the request itself", first],
    ["another question", [system, user("other")]],
    ["other instructions", [{ role: "system", content: "t" }, user("q")]],
    ["further questions", [...first, user("b")]],
    ["an example", [{ role: "system", content: "t" }, reply("example"), user("q")]],
  ])("takes the turn back for a retry: %s", (_what, request) => {
    expect(plan(request).checkpointCount).toBe(0);
  });

  test.each([
    [
      "other instructions",
      [{ role: "system", content: "t" }, user("q"), reply("a"), user("b")],
      0,
      "system",
    ],
    ["another reply", [...first, reply("b"), user("c")], 2, "assistant"],
    ["a message less", [user("q"), reply("a"), user("b"), reply("c"), user("d")], 0, "user"],
  ])("refuses to lose a turn that the request goes on after: %s", (_what, request, index, role) => {
    expect(() => plan(request)).toThrow(InvalidRequestError);
    expect(() => plan(request)).toThrow(
      `its message at index ${index} (role '${role}') is not the one that the session holds`,
    );
  });

  test("counts the latest turn alone as one that may be taken back", () => {
    const longer = trajectoryOf([
      [first, reply("a")],
      [[...first, reply("a"), user("b")], reply("c")],
    ]);
    const request = [...first, reply("a"), user("other")].map(message);
    expect(planReplay(longer, request, anyRole).checkpointCount).toBe(1);
    const edited = [...first, reply("a"), user("b"), reply("x"), user("d")].map(message);
    expect(() => planReplay(longer, edited, anyRole)).toThrow("its message at index 4");
  });
});
