import { afterEach, expect, test } from "bun:test";
import { type PlainReply, servePlainHttp } from "../../../scripts/soak/plain-http.ts";

const reply: PlainReply = { status: 200, contentType: "text/plain", body: "x".repeat(1_000_000) };
let stop = () => {};
afterEach(() => stop());

function serve(change: Partial<PlainReply> = {}) {
  const targets: string[] = [];
  const server = servePlainHttp(async ({ target, body }) => {
    targets.push(`${target} ${body.length}`);
    return { ...reply, ...change };
  });
  stop = () => server.stop();
  return { url: server.url, targets };
}

test("servePlainHttp() reads a whole request and sends a whole reply", async () => {
  const { url, targets } = serve();
  const response = await fetch(`${url}/a?b=1`, { method: "POST", body: "y".repeat(500_000) });
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(reply.body);
  expect(targets).toEqual(["/a?b=1 500000"]);
});

test("servePlainHttp() breaks off when it is told to", async () => {
  const { url } = serve({ breaksOff: true });
  const reading = fetch(url).then((response) => response.text());
  await expect(reading).rejects.toThrow();
});
