/**
 * npm openai against a session: chat completions and responses.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { hangMs } from "../harness/time-limit.ts";
import {
  type AgentServer,
  chatTools,
  expectWholeConversation,
  questions,
  startAgentServer,
  systemPrompt,
  toolResults,
  tools,
} from "./agent-server.ts";

let server: AgentServer;

beforeAll(async () => {
  server = await startAgentServer();
}, hangMs);

afterAll(() => server.stop());

function clientOf(sessionId: string): OpenAI {
  return new OpenAI({ apiKey: "unused", baseURL: `${server.sessionUrl(sessionId)}/v1` });
}

function resultOf(name: string, argumentsText: string): string {
  return toolResults[name]?.(JSON.parse(argumentsText)) ?? "";
}

describe("chat completions", () => {
  type Ask = (
    client: OpenAI,
    body: OpenAI.ChatCompletionCreateParamsNonStreaming,
  ) => Promise<OpenAI.ChatCompletion>;

  const ways: [string, Ask][] = [
    ["whole", (client, body) => client.chat.completions.create(body)],
    [
      "streamed",
      async (client, body) => {
        const options = { stream: true as const, stream_options: { include_usage: true } };
        const stream = client.chat.completions.stream({ ...body, ...options });
        const completion = await stream.finalChatCompletion();
        expect(completion.usage?.completion_tokens).toBeGreaterThan(0);
        return completion;
      },
    ],
  ];

  test.each(ways)("an agent with tools, replies %s", async (_way, ask) => {
    const sessionId = await server.createSession();
    const client = clientOf(sessionId);
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      // What OpenAI's clients call a system message of a newer model.
      { role: "developer", content: [{ type: "text", text: systemPrompt }] },
    ];
    const reasons: string[] = [];
    for (const question of questions) {
      messages.push({ role: "user", content: [{ type: "text", text: question }] });
      for (;;) {
        const completion = await ask(client, { model: "m", messages, tools: chatTools as never });
        const [choice] = completion.choices;
        if (choice === undefined) throw new Error("a completion has a choice");
        reasons.push(choice.finish_reason);
        messages.push(choice.message);
        const calls = choice.message.tool_calls ?? [];
        if (calls.length === 0) break;
        for (const call of calls) {
          if (call.type !== "function") throw new Error("functions were offered");
          const content = resultOf(call.function.name, call.function.arguments);
          messages.push({ role: "tool", tool_call_id: call.id, content });
        }
      }
    }
    expect(reasons).toEqual(["tool_calls", "tool_calls", "stop", "stop"]);
    await expectWholeConversation(server, sessionId);
  });
});

describe("responses", () => {
  type Response = OpenAI.Responses.Response;
  type Body = OpenAI.Responses.ResponseCreateParamsNonStreaming;
  type Item = OpenAI.Responses.ResponseInputItem;

  const ways: [string, (client: OpenAI, body: Body) => Promise<Response>][] = [
    ["whole", (client, body) => client.responses.create(body)],
    [
      "streamed",
      (client, body) => client.responses.stream({ ...body, stream: true }).finalResponse(),
    ],
  ];

  const responseTools = tools.map((tool) => ({
    type: "function" as const,
    strict: null,
    ...tool,
    parameters: { ...tool.parameters },
  }));

  /** How an agent tells the server what was said before. */
  const memories: [
    string,
    (said: Item[], added: Item[], last: Response | null) => Partial<Body>,
  ][] = [
    ["sends all items back", (said, added) => ({ input: [...said, ...added] })],
    [
      "sends items back without reasoning and ids",
      (said, added) => ({
        input: [...said, ...added]
          .filter((item) => item.type !== "reasoning")
          .map((item) => ({ ...item, id: undefined }) as unknown as Item),
      }),
    ],
    [
      "refers to the response before",
      (_said, added, last) => ({ input: added, previous_response_id: last?.id ?? null }),
    ],
    [
      "refers to items",
      (said, added) => ({
        input: [...said, ...added].map((item) =>
          item.type !== "function_call_output" && "id" in item && typeof item.id === "string"
            ? { type: "item_reference" as const, id: item.id }
            : item,
        ),
      }),
    ],
  ];

  describe.each(ways)("an agent with tools, replies %s", (_way, ask) => {
    test.each(memories)("that %s", async (_memory, remember) => {
      const sessionId = await server.createSession();
      const client = clientOf(sessionId);
      const said: Item[] = [];
      let last: Response | null = null;
      const statuses: (string | undefined)[] = [];
      for (const question of questions) {
        let added: Item[] = [{ role: "user", content: question }];
        while (added.length > 0) {
          const body = { model: "m", instructions: systemPrompt, tools: responseTools };
          const response: Response = await ask(client, {
            ...body,
            ...remember(said, added, last),
          } as Body);
          statuses.push(response.status);
          expect(response.usage?.output_tokens).toBeGreaterThan(0);
          said.push(...added, ...(response.output as Item[]));
          last = response;
          added = outputsOf(response);
        }
      }
      expect(statuses).toEqual(["completed", "completed", "completed", "completed"]);
      expect(last?.output_text).toBe("You are welcome.");
      await expectWholeConversation(server, sessionId);
    });
  });

  function outputsOf(response: Response): Item[] {
    return response.output
      .filter((item) => item.type === "function_call")
      .map(({ call_id, name, arguments: text }) => ({
        type: "function_call_output",
        call_id,
        output: resultOf(name, text),
      }));
  }
});
