/**
 * Chat templates and requests that would keep a server busy for ever or fill its memory: cut, told
 * to the client, and the next request is served.
 */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../harness/server-process.ts";
import { hangMs } from "../harness/time-limit.ts";
import { Session } from "./session.ts";

const directory = mkdtempSync(join(tmpdir(), "templates-"));
afterAll(() => rmSync(directory, { recursive: true }));

const rest = "{% for m in messages %}{{ m.content }}{% endfor %}";

/** Each is hostile only when the message says so: the server itself must stay usable. */
const hostile = {
  "a loop without end": "{% for i in range(10 ** 12) %}{% set x = i %}{% endfor %}",
  "loops in loops":
    "{% for a in range(100000) %}{% for b in range(100000) %}x{% endfor %}{% endfor %}",
  "recursion without end": "{% macro f(n) %}{{ f(n + 1) }}{% endmacro %}{{ f(0) }}",
  "a text without end": '{{ "x" * 10 ** 12 }}',
  "a text that doubles":
    '{% set ns = namespace(t="x") %}{% for i in range(100) %}' +
    "{% set ns.t = ns.t ~ ns.t %}{% endfor %}{{ ns.t }}",
  "a list that doubles":
    "{% set ns = namespace(l=[1]) %}{% for i in range(100) %}" +
    "{% set ns.l = ns.l + ns.l %}{% endfor %}{{ ns.l | length }}",
  "a number without end": "{{ 9 ** (9 ** 9) }}",
  "a padded text": '{{ "%1000000000000d" % 1 }}',
  "a centred text": '{{ "x" | center(10 ** 12) }}',
};

describe("hostile templates", () => {
  test.each(Object.entries(hostile))(
    "%s",
    async (name, text) => {
      const path = join(directory, `${name}.jinja`);
      writeFileSync(path, `{% if messages[0].content == "attack" %}${text}{% endif %}${rest}`);
      const server = await startServer(["--port", "0", "--chat-template-path", path]);
      try {
        const session = await Session.create(server.url);
        // The event is that it answers: left alone, each would take days or all memory.
        const reply = await session.chat("attack");
        expect([reply.status, reply.text]).toEqual([
          400,
          expect.stringMatching(/^\{"error":".+"\}$/),
        ]);
        expect((await session.chat("hello")).status).toBe(200);
        expect(await session.recordCount()).toBe(1);
        expect(server.log()).not.toMatch(/ ERROR /);
      } finally {
        await server.stop("SIGKILL");
      }
    },
    hangMs,
  );
});
