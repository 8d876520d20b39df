/**
 * What clients of other protocols, and trainers that set sessions up, can see: the same on every
 * chassis.
 */
import { expect } from "bun:test";
import { type Case, type Client, chatReply, type Observation } from "./session-api.cases.ts";

const user = (content: string) => ({ role: "user", content });

function ask(
  client: Client,
  session: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Observation> {
  return client.send("POST", `/sessions/${session}/v1/${path}`, JSON.stringify(body), headers);
}

function inputIds(client: Client, session: string): number[][] {
  return client.backend.requests(session).map(({ body }) => JSON.parse(body).input_ids);
}

const anthropicRequest = { model: "m", max_tokens: 9, messages: [user("a")] };

export const clientProtocolCases: readonly Case[] = [
  [
    "one conversation has one sequence of prompts in every protocol",
    async (client) => {
      const prompts: number[][][] = [];
      for (const path of ["chat/completions", "messages", "responses"]) {
        const session = await client.createSession();
        const messages = [user("a")];
        for (const text of ["one", "two"]) {
          client.backend.reply(session, chatReply(text));
          const body = path === "responses" ? { input: messages } : { max_tokens: 9, messages };
          const { status } = await ask(client, session, path, { model: "m", ...body });
          expect([path, status]).toEqual([path, 200]);
          messages.push({ role: "assistant", content: text }, user("b"));
        }
        prompts.push(inputIds(client, session));
      }
      expect(prompts[1]).toEqual(prompts[0] ?? []);
      expect(prompts[2]).toEqual(prompts[0] ?? []);
    },
  ],
  [
    "messages: whole, streamed, counted",
    async (client) => {
      const session = await client.createSession();
      const counted = await ask(client, session, "messages/count_tokens", anthropicRequest);
      for (const stream of [false, true]) {
        client.backend.reply(session, chatReply("one"));
        const reply = await ask(client, session, "messages?beta=true", {
          ...anthropicRequest,
          stream,
        });
        expect(reply.status).toBe(200);
        expect(reply.headers["x-backend"]).toBeUndefined();
        expect(reply.headers["content-type"]).toBe(
          stream ? "text/event-stream; charset=utf-8" : "application/json",
        );
        expect(reply.body).toContain('"text":"one"');
      }
      const [prompt] = inputIds(client, session);
      expect(JSON.parse(counted.body)).toEqual({ input_tokens: prompt?.length });
      expect(client.backend.requests(session)[0]).toMatchObject({
        path: "v1/chat/completions",
        query: "",
      });
    },
  ],
  [
    "responses: whole, streamed, after another",
    async (client) => {
      const session = await client.createSession();
      client.backend.reply(session, chatReply("one"));
      const path = `/sessions/${session}/v1/responses`;
      // An observation has a name in place of the response's id, so that chassis can be compared.
      const first = await fetch(client.url + path, {
        method: "POST",
        body: JSON.stringify({ model: "m", input: "a" }),
      });
      const { id, status } = (await first.json()) as { id: string; status: string };
      expect([first.status, status]).toEqual([200, "completed"]);
      const request = { model: "m", input: "b", stream: true, previous_response_id: id };
      client.backend.reply(session, chatReply("two"));
      const second = await ask(client, session, "responses", request);
      expect(second.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
      expect(second.body).toContain("event: response.completed");
      const dump = await client.send("GET", `/sessions/${session}`);
      expect(JSON.parse(dump.body).records).toHaveLength(2);
      const unknown = { ...request, previous_response_id: `resp_${"0".repeat(32)}` };
      const refused = await ask(client, session, "responses", unknown);
      expect([refused.status, refused.headers["content-type"]]).toEqual([400, "application/json"]);
    },
  ],
  [
    "errors have the form of their protocol",
    async (client) => {
      const session = await client.createSession();
      for (const path of ["messages", "messages/count_tokens"]) {
        const wrong = await ask(client, session, path, { messages: 7 });
        expect([wrong.status, JSON.parse(wrong.body)]).toMatchObject([
          400,
          { type: "error", error: { type: "invalid_request_error" } },
        ]);
        const gone = await ask(client, "nobody", path, anthropicRequest);
        expect([gone.status, JSON.parse(gone.body).error.type]).toEqual([404, "not_found_error"]);
      }
      const wrong = await ask(client, session, "responses", { input: 7 });
      expect([wrong.status, JSON.parse(wrong.body).error.type]).toEqual([
        400,
        "invalid_request_error",
      ]);
      client.backend.reply(session, {
        status: 503,
        headers: { "retry-after": "2" },
        body: '{"message":"busy"}',
      });
      const busy = await ask(client, session, "messages", anthropicRequest);
      expect([busy.status, busy.headers["retry-after"], JSON.parse(busy.body).error]).toEqual([
        529,
        "2",
        { type: "overloaded_error", message: "busy" },
      ]);
    },
  ],
  [
    "a session's settings come from its creator, who is told what is wrong with them",
    async (client) => {
      const session = await client.createSession({
        pinned_sampling_params: { temperature: 1 },
        default_sampling_params: { top_p: 0.5 },
        metadata: { sample: "s" },
      });
      client.backend.reply(session, chatReply("one"));
      await client.chat(session, { messages: [user("a")], temperature: 0 });
      const [sent] = client.backend.requests(session);
      expect(JSON.parse(sent?.body ?? "")).toMatchObject({ temperature: 1, top_p: 0.5 });
      const dump = await client.send("GET", `/sessions/${session}`);
      expect(JSON.parse(dump.body).metadata.session_metadata).toEqual({ sample: "s" });
      for (const wrong of ["{", "[]", '{"temperature":1}', '{"max_total_tokens":0}']) {
        const refused = await client.send("POST", "/sessions", wrong);
        expect([wrong, refused.status]).toEqual([wrong, 400]);
      }
    },
  ],
  [
    "a session that is full says so without the backend",
    async (client) => {
      const session = await client.createSession({ max_total_tokens: 1 });
      const messages = [user("a")];
      for (const [path, body, expected] of [
        ["chat/completions", { messages }, '"finish_reason":"length"'],
        ["messages", anthropicRequest, '"stop_reason":"max_tokens"'],
        ["responses", { model: "m", input: "a" }, '"reason":"max_output_tokens"'],
      ] as const) {
        const reply = await ask(client, session, path, body);
        expect([path, reply.status]).toEqual([path, 200]);
        expect(reply.body).toContain(expected);
      }
      expect(client.backend.requests(session)).toHaveLength(0);
    },
  ],
  [
    "a request that is sent again gets the same bytes and no second sample",
    async (client) => {
      const session = await client.createSession();
      client.backend.reply(session, chatReply("one"));
      const body = { messages: [user("a")] };
      const first = await ask(client, session, "chat/completions", body, {
        "x-stainless-retry-count": "0",
      });
      const again = await ask(client, session, "chat/completions", body, {
        "x-stainless-retry-count": "1",
      });
      expect(again.body).toBe(first.body);
      expect(again.headers).toMatchObject({ "idempotent-replayed": "true", "x-backend": "1" });
      expect(client.backend.requests(session)).toHaveLength(1);
    },
  ],
  [
    "models are listed also where the backend has no list",
    async (client) => {
      const session = await client.createSession();
      client.backend.reply(session, { status: 404, body: '{"detail":"Not Found"}' });
      const listed = await client.send("GET", `/sessions/${session}/v1/models`);
      expect([listed.status, JSON.parse(listed.body).object]).toEqual([200, "list"]);
      client.backend.reply(session, { status: 200, body: '{"object":"list","data":[]}' });
      const own = await client.send("GET", `/sessions/${session}/v1/models`);
      expect(own.body).toBe('{"object":"list","data":[]}');
    },
  ],
];
