/**
 * What a client can see of a session server, as cases that know nothing of its processes.
 *
 * Contract   each case drives one server over HTTP, checks what must be so, and leaves a list of
 *            observations (status, headers, body) with ids and times made comparable. The lists of
 *            two chassis must be equal, byte for byte.
 */
import { expect } from "bun:test";
import type { BackendReply, ScriptedBackend } from "../harness/scripted-backend.ts";

export interface Observation {
  readonly request: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export interface Client {
  readonly url: string;
  readonly backend: ScriptedBackend;
  /** Sends a request and notes what came back. */
  send(
    method: string,
    path: string,
    body?: RequestBody,
    headers?: Record<string, string>,
  ): Promise<Observation>;
  createSession(settings?: object): Promise<string>;
  chat(sessionId: string, body: unknown): Promise<Observation>;
}

type RequestBody = string | Uint8Array<ArrayBuffer>;

export type Case = readonly [title: string, run: (client: Client) => Promise<void>];

/** A client that appends all that it sees to `observations`. */
export function observingClient(
  url: string,
  backend: ScriptedBackend,
  observations: Observation[],
): Client {
  const names = new Map<string, string>();
  const comparable = (text: string): string => {
    let result = text.replaceAll(url, "http://server").replaceAll(backend.url, "http://backend");
    for (const [id, name] of names) result = result.replaceAll(id, name);
    return result
      .replace(/"(request_)?timestamp":\d+\.\d+/g, '"$1timestamp":0.0')
      .replace(/"(created|created_at)":\d+/g, '"$1":0')
      .replace(/(msg|resp|rs|fc|chatcmpl)[_-][0-9a-f]{32}/g, "$1_<turn>");
  };
  const client: Client = {
    url,
    backend,
    async send(method, path, body, headers = {}) {
      const init: BunFetchRequestInit = { method, headers, redirect: "manual", decompress: false };
      if (body !== undefined) init.body = body;
      const response = await fetch(url + path, init);
      const text = Buffer.from(await response.bytes()).toString("latin1");
      const seen: Record<string, string> = {};
      for (const [name, value] of response.headers) {
        if (name !== "date") seen[name] = comparable(`${seen[name] ?? ""}${value}`);
      }
      const observation = {
        request: comparable(`${method} ${path}`),
        status: response.status,
        headers: seen,
        body: comparable(text),
      };
      const length = seen["content-length"];
      if (length !== undefined && method !== "HEAD") expect(Number(length)).toBe(text.length);
      // A time of 1700000000.5 is shorter than one of 1700000000.123.
      const comparableLength = length === undefined ? {} : { "content-length": "right" };
      observations.push({ ...observation, headers: { ...seen, ...comparableLength } });
      return { ...observation, body: Buffer.from(text, "latin1").toString() };
    },
    async createSession(settings) {
      const given = settings === undefined ? undefined : JSON.stringify(settings);
      const { body } = await client.send("POST", "/sessions", given);
      const { session_id } = JSON.parse(body) as { session_id: string };
      names.set(session_id, `<session ${names.size}>`);
      // The id was not known yet when the reply was noted.
      observations.pop();
      return session_id;
    },
    chat: (sessionId, body) =>
      client.send(
        "POST",
        `/sessions/${sessionId}/v1/chat/completions`,
        typeof body === "string" ? body : JSON.stringify(body),
        { "content-type": "application/json" },
      ),
  };
  return client;
}

const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: string) => ({ role: "assistant", content });

/** A reply as SGLang gives it: two completion tokens and a payload. */
export function chatReply(
  content: string,
  options: { routedExperts?: unknown } = {},
): BackendReply {
  const routed = "routedExperts" in options ? options.routedExperts : "AAAA";
  return {
    status: 200,
    headers: { "content-type": "application/json", "x-backend": "1" },
    body: JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1700000000,
      model: "m",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content, reasoning_content: null, tool_calls: null },
          finish_reason: "stop",
          meta_info: {
            completion_tokens: 2,
            output_token_logprobs: [
              [-0.5, 603, null],
              [-0.25, 151645, null],
            ],
            routed_experts: routed,
          },
        },
      ],
      usage: { total_tokens: 3 },
    }),
  };
}

function records(dump: Observation): { request: Record<string, unknown>; response: unknown }[] {
  return (JSON.parse(dump.body) as { records: ReturnType<typeof records> }).records;
}

async function expectEmpty(client: Client, session: string): Promise<void> {
  const dump = await client.send("GET", `/sessions/${session}`);
  expect(records(dump)).toEqual([]);
}

const lifeOfASession: Case[] = [
  [
    "health names the instance",
    async (client) => {
      const { status, body } = await client.send("GET", "/health");
      expect(status).toBe(200);
      expect(JSON.parse(body)).toEqual({
        status: "ok",
        session_server_instance_id: "0123456789abcdef0123456789abcdef",
      });
    },
  ],
  [
    "a session lives from POST to DELETE",
    async (client) => {
      const session = await client.createSession();
      expect(session).toMatch(/^[0-9a-f]{32}$/);
      client.backend.reply(session, chatReply("one"));
      const chat = await client.chat(session, { messages: [user("a")] });
      expect(chat.status).toBe(200);
      expect(chat.headers["x-backend"]).toBe("1");
      expect(chat.body).not.toContain("routed_experts");
      const dump = await client.send("GET", `/sessions/${session}`);
      expect(dump.headers["content-length"]).toBe(String(Buffer.byteLength(dump.body)));
      expect(records(dump)).toHaveLength(1);
      expect(dump.body).toContain('"routed_experts":"AAAA"');
      const deleted = await client.send("DELETE", `/sessions/${session}`);
      expect([deleted.status, deleted.body]).toEqual([204, ""]);
      for (const method of ["GET", "DELETE"]) {
        const gone = await client.send(method, `/sessions/${session}`);
        expect(gone.status).toBe(404);
        expect(JSON.parse(gone.body)).toEqual({
          error: `session not found: session_id=${session}`,
        });
      }
      expect((await client.chat(session, { messages: [user("a")] })).status).toBe(404);
    },
  ],
  [
    "unknown sessions are 404, whatever their name",
    async (client) => {
      for (const id of ["x", "a%2Fb", "%00", "%zz", "..%2f..", "%E4%BD%A0", "a".repeat(5000)]) {
        expect((await client.send("GET", `/sessions/${id}`)).status).toBe(404);
        expect((await client.send("DELETE", `/sessions/${id}`)).status).toBe(404);
        expect((await client.chat(id, { messages: [user("a")] })).status).toBe(404);
      }
    },
  ],
  [
    "unknown routes are 404, wrong methods 405 with Allow",
    async (client) => {
      for (const path of ["/", "/nothing", "/sessionsx", "/sessions//v1/models"]) {
        expect((await client.send("GET", path)).status).toBe(404);
      }
      const session = await client.createSession();
      for (const [method, path, allow] of [
        ["POST", "/health", "GET"],
        ["PUT", "/sessions", "GET, POST"],
        ["PUT", `/sessions/${session}`, "GET, DELETE"],
      ] as const) {
        const { status, headers } = await client.send(method, path);
        expect([status, headers["allow"]]).toEqual([405, allow]);
      }
    },
  ],
];

const chatTurns: Case[] = [
  [
    "stream: true is one chunk and [DONE]",
    async (client) => {
      const session = await client.createSession();
      client.backend.reply(session, chatReply("one"));
      const { headers, body } = await client.chat(session, { messages: [user("a")], stream: true });
      expect(headers["content-type"]).toBe("text/event-stream; charset=utf-8");
      expect(headers["cache-control"]).toBe("no-cache");
      expect(headers["x-accel-buffering"]).toBe("no");
      expect(headers["x-backend"]).toBeUndefined();
      expect(body).toMatch(/^data: \{.*\}\n\ndata: \[DONE\]\n\n$/);
      expect(client.backend.requests(session)[0]?.body).not.toContain("stream");
    },
  ],
  [
    "the request goes up as written, with the session's name",
    async (client) => {
      const session = await client.createSession();
      client.backend.reply(session, chatReply("one"));
      await client.send(
        "POST",
        `/sessions/${session}/v1/chat/completions?a=%20b`,
        '{"seed":12345678901234567890,"temperature":1.0,"messages":[{"role":"user","content":"a"}]}',
        { authorization: "Bearer k", "x-smg-routing-key": session, "x-own": "1" },
      );
      const [seen] = client.backend.requests(session);
      expect(seen?.query).toBe("a=%20b");
      expect(seen?.body).toContain('"seed":12345678901234567890,"temperature":1.0');
      expect(seen?.headers.get("x-smg-routing-key")).toBe(session);
      expect(seen?.headers.get("authorization")).toBe("Bearer k");
      expect(seen?.headers.get("x-own")).toBe("1");
    },
  ],
  [
    "bad requests are 400 with a sentence, and change nothing",
    async (client) => {
      const session = await client.createSession();
      for (const body of [
        "",
        "{",
        "[]",
        "null",
        '"text"',
        "{}",
        '{"messages":7}',
        '{"messages":[]}',
        '{"messages":[7]}',
        '{"messages":[{"content":"a"}]}',
        '{"messages":[{"role":7}]}',
        '{"messages":[{"role":"user","content":null}]}',
        '{"messages":[{"role":"user","content":42}]}',
        '{"messages":[{"role":"user","content":"a"}],"chat_template_kwargs":[]}',
        '{"messages":[{"role":"user","content":"\\ud800"}]}',
        '{"messages":[{"role":"user","content":"a"}],"tools":[{"type":"function"}]}',
        '{"messages":[{"role":"user","content":"a"}],"tools":"all"}',
        '{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"","tool_calls":' +
          '[{"id":"c","type":"function","function":{"name":"f","arguments":"{broken"}}]}]}',
        `{"messages":${"[".repeat(3000)}`,
      ]) {
        const { status, headers, body: text } = await client.chat(session, body);
        expect([body.slice(0, 80), status]).toEqual([body.slice(0, 80), 400]);
        expect(headers["content-type"]).toBe("application/json");
        expect((JSON.parse(text) as { error: string }).error.length).toBeGreaterThan(15);
      }
      const bytes = Buffer.from('{"messages":[{"role":"user","content":"?"}]}');
      bytes[bytes.indexOf("?")] = 0xff;
      const path = `/sessions/${session}/v1/chat/completions`;
      expect((await client.send("POST", path, bytes)).status).toBe(400);
      expect(client.backend.requests(session)).toHaveLength(0);
      await expectEmpty(client, session);
    },
  ],
  [
    "a retry takes the last turn back, a deeper one is 400",
    async (client) => {
      const session = await client.createSession();
      const first = [user("a")];
      const second = [...first, assistant("one"), user("b")];
      for (const [messages, reply] of [
        [first, "one"],
        [second, "two"],
        [second, "three"],
      ] as const) {
        client.backend.reply(session, chatReply(reply));
        expect((await client.chat(session, { messages })).status).toBe(200);
      }
      const dump = await client.send("GET", `/sessions/${session}`);
      expect(records(dump)).toHaveLength(2);
      expect(dump.body).toContain('"content":"three"');
      expect(dump.body).not.toContain('"content":"two"');
      const deep = await client.chat(session, { messages: [user("other")] });
      expect(deep.status).toBe(400);
      expect(deep.body).toContain("rollback failed: discard_count=2");
      expect(records(await client.send("GET", `/sessions/${session}`))).toHaveLength(2);
    },
  ],
  [
    "a retry whose turn fails leaves the turn that it would have replaced",
    async (client) => {
      const session = await client.createSession();
      client.backend.reply(session, chatReply("one"));
      await client.chat(session, { messages: [user("a")] });
      client.backend.reply(session, { status: 503, body: "busy" });
      expect((await client.chat(session, { messages: [user("other")] })).status).toBe(503);
      const dump = await client.send("GET", `/sessions/${session}`);
      expect(records(dump)).toHaveLength(1);
    },
  ],
  [
    "long histories and large bodies work",
    async (client) => {
      const session = await client.createSession();
      client.backend.reply(session, chatReply("one"));
      const history = Array.from({ length: 1000 }, (_, index) =>
        index % 2 === 0 ? user(`question ${index}`) : assistant(`answer ${index}`),
      );
      const messages = [...history, user("last")];
      expect((await client.chat(session, { messages })).status).toBe(200);
      const large = await client.createSession();
      client.backend.reply(large, chatReply("one"));
      const reply = await client.chat(large, {
        messages: [user("a")],
        metadata: "x".repeat(10_000_000),
      });
      expect(reply.status).toBe(200);
    },
  ],
];

const concurrency: Case[] = [
  [
    "a turn that another one overtook is answered and not stored",
    async (client) => {
      const session = await client.createSession();
      const arrived = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      client.backend.reply(session, async () => {
        arrived.resolve();
        await gate.promise;
        return chatReply("slow");
      });
      client.backend.reply(session, chatReply("fast"));
      const slow = client.chat(session, { messages: [user("a")] });
      await arrived.promise;
      const fast = await client.chat(session, { messages: [user("a")] });
      expect(fast.status).toBe(200);
      gate.resolve();
      expect((await slow).status).toBe(200);
      expect((await slow).body).toContain('"content":"slow"');
      const dump = await client.send("GET", `/sessions/${session}`);
      expect(records(dump)).toHaveLength(1);
      expect(dump.body).toContain('"content":"fast"');
    },
  ],
  [
    "a turn of a session that was deleted meanwhile is answered and not stored",
    async (client) => {
      const session = await client.createSession();
      const arrived = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      client.backend.reply(session, async () => {
        arrived.resolve();
        await gate.promise;
        return chatReply("late");
      });
      const late = client.chat(session, { messages: [user("a")] });
      await arrived.promise;
      expect((await client.send("DELETE", `/sessions/${session}`)).status).toBe(204);
      gate.resolve();
      expect((await late).status).toBe(200);
      expect((await client.send("GET", `/sessions/${session}`)).status).toBe(404);
    },
  ],
];

const backendTrouble: Case[] = [
  [
    "what the backend refuses goes to the client as it came",
    async (client) => {
      const session = await client.createSession();
      for (const reply of [
        { status: 400, headers: { "content-type": "application/json" }, body: '{"message": "x"}' },
        { status: 503, headers: { "content-type": "text/plain" }, body: "busy" },
        { status: 500, headers: { "content-type": "text/html" }, body: "<html>" },
        { status: 302, headers: { location: "http://elsewhere/" }, body: "" },
      ]) {
        client.backend.reply(session, reply);
        const { status, body, headers } = await client.chat(session, { messages: [user("a")] });
        expect([status, body]).toEqual([reply.status, reply.body]);
        for (const [name, value] of Object.entries(reply.headers)) {
          expect(headers[name]).toBe(value);
        }
      }
      await expectEmpty(client, session);
    },
  ],
  [
    "a reply that is no chat completion is 502",
    async (client) => {
      const session = await client.createSession();
      for (const body of [
        "",
        "<html>",
        "[]",
        "{}",
        '{"choices":[]}',
        '{"choices":[{}]}',
        '{"a":',
      ]) {
        client.backend.reply(session, { status: 200, body });
        const reply = await client.chat(session, { messages: [user("a")] });
        expect([body, reply.status]).toEqual([body, 502]);
        expect(JSON.parse(reply.body)).toHaveProperty("error");
      }
      await expectEmpty(client, session);
      client.backend.reply(session, chatReply("fine"));
      expect((await client.chat(session, { messages: [user("a")] })).status).toBe(200);
    },
  ],
];

const largeReplies: Case[] = [
  [
    "a dump beyond a megabyte is streamed, byte for byte what the backend sent",
    async (client) => {
      const session = await client.createSession();
      const payload = "QUJD".repeat(500_000);
      const messages = [user("a")];
      for (const [index, text] of ["one", "two", "three"].entries()) {
        const reply = chatReply(text, { routedExperts: payload.slice(0, 1_000_000 * (index + 1)) });
        client.backend.reply(session, reply);
        const chat = await client.chat(session, { messages });
        expect(chat.body.length).toBeLessThan(1000);
        messages.push(assistant(text), user("b"));
      }
      const dump = await client.send("GET", `/sessions/${session}`);
      expect(dump.headers["transfer-encoding"]).toBe("chunked");
      const sizes = records(dump).map(
        ({ response }) => JSON.stringify(response).match(/"routed_experts":"(\w*)"/)?.[1]?.length,
      );
      expect(sizes).toEqual([1_000_000, 2_000_000, 2_000_000]);
    },
  ],
  [
    "payloads of every shape are stripped and kept, an absent one is 502",
    async (client) => {
      const session = await client.createSession();
      const messages = [user("a")];
      for (const routedExperts of [[[1, 2], [3]], { a: "routed_experts" }, "QUJD"]) {
        client.backend.reply(session, chatReply("x", { routedExperts }));
        const chat = await client.chat(session, { messages });
        expect(chat.status).toBe(200);
        expect(chat.body).not.toContain("routed_experts");
        messages.push(assistant("x"), user("b"));
      }
      for (const routedExperts of [null, "", undefined]) {
        client.backend.reply(session, chatReply("x", { routedExperts }));
        expect((await client.chat(session, { messages })).status).toBe(502);
      }
      const dump = await client.send("GET", `/sessions/${session}`);
      expect(records(dump)).toHaveLength(3);
      expect(dump.body).toContain('"routed_experts":[[1,2],[3]]');
    },
  ],
];

const proxy: Case[] = [
  [
    "any method below a session goes to the backend and back unchanged",
    async (client) => {
      const session = await client.createSession();
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const reply = {
          status: 207,
          headers: { "content-type": "application/json; charset=utf-8", "set-cookie": "a=1" },
          body: '{"big": 12345678901234567890, "f": 1.0}',
        };
        client.backend.reply(session, reply);
        const body = method === "GET" ? undefined : '{"x": 1}';
        const got = await client.send(method, `/sessions/${session}/a%2Fb/c?q=%20`, body);
        expect([got.status, got.body]).toEqual([reply.status, reply.body]);
        expect(got.headers["content-type"]).toBe("application/json; charset=utf-8");
        const seen = client.backend.requests(session).at(-1);
        expect(seen).toMatchObject({ method, path: "a%2Fb/c", query: "q=%20", body: body ?? "" });
      }
      client.backend.reply(session, { status: 200, body: "" });
      expect((await client.send("HEAD", `/sessions/${session}/v1/models`)).status).toBe(200);
    },
  ],
  [
    "a session need not exist to reach the backend, as with the original",
    async (client) => {
      client.backend.reply("nobody", { status: 200, body: "ok" });
      expect((await client.send("GET", "/sessions/nobody/v1/models")).body).toBe("ok");
    },
  ],
  [
    "large and binary bodies pass both ways",
    async (client) => {
      const session = await client.createSession();
      const bytes = new Uint8Array(5_000_000).map((_, index) => index * 7);
      client.backend.reply(session, { status: 200, body: bytes });
      const { body } = await client.send("POST", `/sessions/${session}/echo`, bytes);
      expect(Buffer.from(body).length).toBeGreaterThan(bytes.length);
      expect(client.backend.requests(session)[0]?.body.length).toBeGreaterThan(1_000_000);
    },
  ],
];

export const sessionApiCases: readonly Case[] = [
  ...lifeOfASession,
  ...chatTurns,
  ...concurrency,
  ...backendTrouble,
  ...largeReplies,
  ...proxy,
];
