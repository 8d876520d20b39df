import { describe, expect, test } from "bun:test";
import {
  type History,
  messagesAfter,
  recognize,
  type SessionDump,
} from "../../../scripts/soak/session-model.ts";

const history: History = [
  {
    ticket: "a/0",
    generation: {
      content: "one",
      inputIds: [1, 2],
      completionIds: [3, 4],
      routedExperts: "AA",
    },
  },
  {
    ticket: "a/1",
    generation: {
      content: "two",
      inputIds: [1, 2, 3, 4, 5],
      completionIds: [6],
      routedExperts: "AAB",
    },
  },
];

/** What a server that is right gives out. */
function dumpOf(turns: History): SessionDump {
  const last = turns.at(-1)?.generation;
  return {
    records: turns.map(({ ticket, generation }, index) => ({
      request: {
        messages: messagesAfter(turns.slice(0, index), ticket),
        input_ids: [...generation.inputIds],
      },
      response: {
        choices: [
          {
            message: { content: generation.content },
            meta_info: { routed_experts: generation.routedExperts },
          },
        ],
      },
    })),
    metadata: {
      accumulated_token_ids: last ? [...last.inputIds, ...last.completionIds] : [],
      max_trim_tokens: 0,
    },
  };
}

/** The same dump with one thing wrong. */
function changed(change: (dump: SessionDump) => void): SessionDump {
  const dump = structuredClone(dumpOf(history));
  change(dump);
  return dump;
}

describe("recognize()", () => {
  test("finds the history that the records show", () => {
    const possible = [history.slice(0, 1), history];
    expect(recognize(dumpOf(history), possible)).toEqual({ history });
    expect(recognize(dumpOf(history.slice(0, 1)), possible)).toEqual({
      history: history.slice(0, 1),
    });
    expect(recognize(dumpOf([]), [[]])).toEqual({ history: [] });
  });

  test.each([
    ["2 records where 1", (_: SessionDump) => {}, history.slice(0, 1)],
    ["other messages", ({ records }: SessionDump) => records[1]?.request.messages.pop(), history],
    [
      "other input_ids",
      ({ records }: SessionDump) => records[1]?.request.input_ids.push(9),
      history,
    ],
    [
      "another answer",
      ({ records }: SessionDump) => {
        Object.assign(records[0]?.response.choices[0]?.message ?? {}, { content: "x" });
      },
      history,
    ],
    [
      "another payload",
      ({ records }: SessionDump) => {
        Object.assign(records[0]?.response.choices[0]?.meta_info ?? {}, { routed_experts: "x" });
      },
      history,
    ],
    [
      "the accumulated ids are others",
      ({ metadata }: SessionDump) => metadata.accumulated_token_ids.pop(),
      history,
    ],
  ] as const)("sees %s", (violation, change, model) => {
    expect(recognize(changed(change), [model])).toEqual({
      violation: expect.stringContaining(violation),
    });
  });

  test("sees a prompt that does not continue the tokens of the turn before", () => {
    const broken = history.map((turn) => ({
      ...turn,
      generation: { ...turn.generation, completionIds: [7, 7] },
    }));
    expect(recognize(dumpOf(broken), [broken])).toEqual({
      violation: expect.stringContaining("does not continue"),
    });
  });
});
