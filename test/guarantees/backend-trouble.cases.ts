/**
 * What backends do wrong, and what the client is told. docs/guarantees.md has the same table; the
 * test holds the two against each other.
 */
import { chatReply } from "../conformance/session-api.cases.ts";
import type { RawAnswer, RawConnection } from "../harness/raw-backend.ts";

export interface BackendTrouble {
  /** As docs/guarantees.md names it. */
  readonly title: string;
  readonly answer: RawAnswer;
  readonly status: number;
  /** What the reply's text must contain. */
  readonly text: string | RegExp;
  /** The turn is stored all the same: nothing was wrong with it. */
  readonly stored?: true;
}

/** A good reply as JSON text. */
export const goodReply = String(chatReply("fine").body);
const length = Buffer.byteLength(goodReply);
const half = goodReply.slice(0, length / 2);
const jsonHead = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";

/** Sends all and ends the connection. */
function says(...parts: (string | Uint8Array)[]): RawAnswer {
  return async (connection) => {
    for (const part of parts) await connection.send(part);
    connection.finish();
  };
}

function whole(body: string, headers = "", status = "200 OK"): string {
  return `HTTP/1.1 ${status}\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function changed(change: (choice: Record<string, unknown>) => void): string {
  const reply = JSON.parse(goodReply) as { choices: [Record<string, unknown>] };
  change(reply.choices[0]);
  return JSON.stringify(reply);
}

function changedMeta(change: (metaInfo: Record<string, unknown>) => void): string {
  return changed((choice) => change(choice["meta_info"] as Record<string, unknown>));
}

function gzipped(body: Uint8Array): (string | Uint8Array)[] {
  return [`${jsonHead}Content-Encoding: gzip\r\nContent-Length: ${body.byteLength}\r\n\r\n`, body];
}

async function resetAfter(connection: RawConnection, text: string): Promise<void> {
  await connection.send(text);
  connection.reset();
}

const transport = /backend transport error: /;
const notJson = /invalid chat completion response: /;

const connection: readonly BackendTrouble[] = [
  {
    title: "closes without an answer",
    answer: (peer) => peer.finish(),
    status: 502,
    text: transport,
  },
  {
    title: "resets the connection without an answer",
    answer: (peer) => peer.reset(),
    status: 502,
    text: transport,
  },
  {
    title: "breaks off in the middle of the headers",
    answer: says("HTTP/1.1 200 OK\r\nContent-Le"),
    status: 502,
    text: transport,
  },
  {
    title: "breaks off in the middle of a body with Content-Length",
    answer: says(`${jsonHead}Content-Length: ${length}\r\n\r\n${half}`),
    status: 502,
    text: transport,
  },
  {
    title: "breaks off in the middle of a chunked body",
    answer: says(`${jsonHead}Transfer-Encoding: chunked\r\n\r\n10\r\n${half.slice(0, 16)}\r\n`),
    status: 502,
    text: transport,
  },
  {
    title: "breaks off in the middle of a body that ends with the connection",
    answer: says(`${jsonHead}\r\n${half}`),
    status: 502,
    text: notJson,
  },
  {
    title: "resets the connection in the middle of the body",
    answer: (peer) => resetAfter(peer, `${jsonHead}Content-Length: ${length}\r\n\r\n${half}`),
    status: 502,
    text: transport,
  },
];

const framing: readonly BackendTrouble[] = [
  {
    title: "answers with something that is not HTTP",
    answer: says("SSH-2.0-OpenSSH_9.6\r\n\r\n"),
    status: 502,
    text: transport,
  },
  {
    title: "answers with a status that is none",
    answer: says(whole(goodReply, "", "999 Strange")),
    status: 502,
    text: transport,
  },
  {
    title: "sends two lengths that differ",
    answer: says(`${jsonHead}Content-Length: ${length}\r\nContent-Length: 5\r\n\r\n${goodReply}`),
    status: 502,
    text: transport,
  },
  {
    title: "sends a chunk whose size is no number",
    answer: says(`${jsonHead}Transfer-Encoding: chunked\r\n\r\nzz\r\n${goodReply}\r\n0\r\n\r\n`),
    status: 502,
    text: transport,
  },
  {
    title: "sends headers without end",
    answer: says(`${jsonHead}X-Large: ${"x".repeat(3_000_000)}\r\n\r\n`),
    status: 502,
    text: transport,
  },
  {
    title: "sends 60 KiB of headers",
    answer: says(whole(goodReply, `X-Large: ${"x".repeat(60_000)}\r\n`)),
    status: 200,
    text: "fine",
    stored: true,
  },
  {
    title: "ends the body with the connection (HTTP/1.0)",
    answer: says(`HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${goodReply}`),
    status: 200,
    text: "fine",
    stored: true,
  },
  {
    title: "says 100 Continue first",
    answer: says("HTTP/1.1 100 Continue\r\n\r\n", whole(goodReply)),
    status: 200,
    text: "fine",
    stored: true,
  },
  {
    title: "sends one byte at a time",
    async answer(peer) {
      for (const character of whole(goodReply)) await peer.send(character);
      peer.finish();
    },
    status: 200,
    text: "fine",
    stored: true,
  },
  {
    title: "compresses although it was asked not to",
    answer: says(...gzipped(Bun.gzipSync(Buffer.from(goodReply)))),
    status: 200,
    text: "fine",
    stored: true,
  },
  {
    title: "sends broken gzip",
    answer: says(...gzipped(Buffer.from("this is not gzip"))),
    status: 502,
    text: transport,
  },
];

const answers: readonly BackendTrouble[] = [
  {
    title: "answers 500 with an error of its own",
    answer: says(whole('{"message":"scheduler died"}', "", "500 Internal Server Error")),
    status: 500,
    text: '{"message":"scheduler died"}',
  },
  {
    title: "answers 429",
    answer: says(whole("slow down", "Retry-After: 1\r\n", "429 Too Many Requests")),
    status: 429,
    text: "slow down",
  },
  {
    title: "answers 502 with a page of HTML",
    answer: says(whole("<html>nginx</html>", "Content-Type: text/html\r\n", "502 Bad Gateway")),
    status: 502,
    text: "<html>nginx</html>",
  },
  {
    title: "answers 404: it serves no chat completions",
    answer: says(whole('{"detail":"Not Found"}', "", "404 Not Found")),
    status: 404,
    text: "Not Found",
  },
  {
    title: "redirects",
    answer: says(whole("", "Location: http://127.0.0.1:1/\r\n", "307 Temporary Redirect")),
    status: 307,
    text: "",
  },
  {
    title: "breaks off in the middle of an error",
    answer: says("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 100\r\n\r\npart"),
    status: 502,
    text: transport,
  },
  {
    title: "answers 200 with a page of HTML",
    answer: says(whole("<html>login</html>", "Content-Type: text/html\r\n")),
    status: 502,
    text: notJson,
  },
  {
    title: "answers 200 with JSON under another content type",
    answer: says(whole(goodReply, "Content-Type: text/plain\r\n")),
    status: 200,
    text: "fine",
    stored: true,
  },
  {
    title: "answers 200 with nothing",
    answer: says(whole("")),
    status: 502,
    text: notJson,
  },
  {
    title: "answers 204",
    answer: says("HTTP/1.1 204 No Content\r\n\r\n"),
    status: 204,
    text: "",
  },
  {
    title: "sends something behind the JSON",
    answer: says(whole(`${goodReply}{}`)),
    status: 502,
    text: notJson,
  },
  {
    title: "nests its JSON a hundred thousand deep",
    answer: says(whole(`{"choices":${"[".repeat(100_000)}`)),
    status: 502,
    text: notJson,
  },
];

const promises: readonly BackendTrouble[] = [
  {
    title: "leaves meta_info out",
    answer: says(whole(changed((choice) => delete choice["meta_info"]))),
    status: 502,
    text: "meta_info and output_token_logprobs must be in choice (requires logprobs=True)",
  },
  {
    title: "leaves the token ids out",
    answer: says(whole(changedMeta((meta) => delete meta["output_token_logprobs"]))),
    status: 502,
    text: "meta_info and output_token_logprobs must be in choice (requires logprobs=True)",
  },
  {
    title: "sends logprobs without token ids",
    answer: says(whole(changedMeta((meta) => (meta["output_token_logprobs"] = [[-1], [-1]])))),
    status: 502,
    text: "output_token_logprobs[0] must be [logprob, token id, text]",
  },
  {
    title: "counts its tokens wrong",
    answer: says(whole(changedMeta((meta) => (meta["completion_tokens"] = 3)))),
    status: 502,
    text: "len(output_token_logprobs)=2 != completion_tokens=3",
  },
  {
    title: "leaves out routed_experts, which was asked for",
    answer: says(whole(changedMeta((meta) => delete meta["routed_experts"]))),
    status: 502,
    text: "start the backend with --enable-return-routed-experts",
  },
  {
    title: "sends null as routed_experts, which was asked for",
    answer: says(whole(changedMeta((meta) => (meta["routed_experts"] = null)))),
    status: 502,
    text: "start the backend with --enable-return-routed-experts",
  },
  {
    title: "gives the generation up",
    answer: says(whole(changed((choice) => (choice["finish_reason"] = "abort")))),
    status: 503,
    text: "the backend aborted the generation (finish_reason is abort)",
  },
];

export const backendTroubles = [...connection, ...framing, ...answers, ...promises];
