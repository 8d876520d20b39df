/**
 * One session asked in every protocol in turn: one trajectory, the tokens of one conversation.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hangMs } from "../harness/time-limit.ts";
import { type AgentServer, startAgentServer, turnIds } from "./agent-server.ts";

let server: AgentServer;

beforeAll(async () => {
  server = await startAgentServer({
    reply: ({ turnIndex }) => ({ reasoning: `thought ${turnIndex}`, content: `r${turnIndex}` }),
  });
}, hangMs);

afterAll(() => server.stop());

type Protocol = "chat" | "messages" | "responses";

const paths: Record<Protocol, string> = {
  chat: "chat/completions",
  messages: "messages",
  responses: "responses",
};

interface Said {
  readonly question: string;
  readonly answer: string;
  readonly reasoning: string;
}

function bodyOf(protocol: Protocol, said: readonly Said[], question: string): object {
  const last = { role: "user", content: question };
  switch (protocol) {
    case "chat":
      return {
        messages: [
          ...said.flatMap(({ question: content, answer, reasoning }) => [
            { role: "user", content },
            { role: "assistant", content: answer, reasoning_content: reasoning },
          ]),
          last,
        ],
      };
    case "messages":
      return {
        max_tokens: 100,
        messages: [
          ...said.flatMap(({ question: content, answer, reasoning }) => [
            { role: "user", content: [{ type: "text", text: content }] },
            {
              role: "assistant",
              content: [
                { type: "thinking", thinking: reasoning, signature: "s" },
                { type: "text", text: answer },
              ],
            },
          ]),
          last,
        ],
      };
    case "responses":
      return {
        input: [
          ...said.flatMap(({ question: content, answer }) => [
            { role: "user", content },
            {
              type: "message",
              role: "assistant",
              content: [{ type: "output_text", text: answer }],
            },
          ]),
          last,
        ],
      };
  }
}

async function converse(protocols: readonly Protocol[]) {
  const sessionId = await server.createSession();
  const said: Said[] = [];
  for (const [index, protocol] of protocols.entries()) {
    const question = `q${index}`;
    const reply = await fetch(`${server.sessionUrl(sessionId)}/v1/${paths[protocol]}`, {
      method: "POST",
      body: JSON.stringify({ model: "m", ...bodyOf(protocol, said, question) }),
    });
    expect([protocol, reply.status, await reply.text()]).toEqual([
      protocol,
      200,
      expect.any(String),
    ]);
    said.push({ question, answer: `r${index}`, reasoning: `thought ${index}` });
  }
  return server.dump(sessionId);
}

describe("one session, several protocols", () => {
  const plain: Protocol[] = ["chat", "chat", "chat", "chat", "chat", "chat"];

  test.each([
    ["messages", plain.map((): Protocol => "messages")],
    ["responses", plain.map((): Protocol => "responses")],
    ["all in turn", ["chat", "messages", "responses", "chat", "responses", "messages"]],
    ["all in another turn", ["responses", "chat", "messages", "messages", "chat", "responses"]],
  ] as [string, Protocol[]][])("%s: the tokens of chat", async (_name, protocols) => {
    const expected = await converse(plain);
    const dump = await converse(protocols);
    expect(turnIds(dump)).toEqual(turnIds(expected));
    expect(dump.metadata).toEqual(expected.metadata);
    expect(dump.metadata.tito_session_mismatch).toEqual([]);
  });
});
