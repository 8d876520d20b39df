import { expect, test } from "bun:test";
import { HubClient } from "../../src/checkpoint-hub/hub-client.ts";
import { HubError } from "../../src/checkpoint-hub/hub-error.ts";
import { hubRedirectsMax } from "../../src/limits.ts";
import { FakeHub, fakeCommit, fakeRepository } from "../fixtures/fake-hub.ts";

const name = { repository: fakeRepository, revision: "main" };

test("HubClient describes a repository and its files, small and large", async () => {
  await using hub = await FakeHub.start({
    files: { "a.json": "{}", "b.bin": "x" },
    large: ["b.bin"],
  });
  const client = new HubClient(hub.endpoint, null);
  expect(await client.revision(name)).toEqual({ commit: fakeCommit, files: ["a.json", "b.bin"] });
  const small = await client.file(fakeRepository, fakeCommit, "a.json");
  expect(small).toEqual({ hash: "9e26dfeeb6e641a33dae4961196235bdb965b21b", size: 2 });
  const large = await client.file(fakeRepository, fakeCommit, "b.bin");
  expect(large.hash).toMatch(/^[0-9a-f]{64}$/);
  const rest = await client.content(fakeRepository, fakeCommit, "a.json", 1);
  expect([rest.status, await rest.text()]).toEqual([206, "}"]);
});

test("HubClient follows hubRedirectsMax redirects and no more", async () => {
  let redirects = 0;
  let asked = 0;
  using server = Bun.serve({
    port: 0,
    fetch: ({ url }) => {
      asked += 1;
      if (asked > redirects) return Response.json({ sha: fakeCommit, siblings: [] });
      return new Response(null, { status: 302, headers: { location: url } });
    },
  });
  const client = new HubClient(server.url.origin, null);
  redirects = hubRedirectsMax;
  expect(await client.revision(name)).toEqual({ commit: fakeCommit, files: [] });
  asked = 0;
  redirects = hubRedirectsMax + 1;
  await expect(client.revision(name)).rejects.toThrow(
    `redirects more than ${hubRedirectsMax} times`,
  );
  expect(asked).toBe(hubRedirectsMax + 1);
});

test("HubClient tells what may pass from what does not", async () => {
  using server = Bun.serve({
    port: 0,
    fetch: ({ url }) =>
      new URL(url).pathname.endsWith("/busy")
        ? new Response("later", { status: 503 })
        : Response.json({ unexpected: true }),
  });
  const client = new HubClient(server.url.origin, null);
  const failure = async (revision: string): Promise<HubError> => {
    try {
      await client.revision({ ...name, revision });
    } catch (error) {
      if (error instanceof HubError) return error;
      throw error;
    }
    throw new Error("nothing was thrown");
  };
  expect((await failure("busy")).message).toEndWith("/busy answered 503 (later)");
  expect((await failure("busy")).mayPass).toBe(true);
  expect((await failure("main")).message).toEndWith('answered without "sha" and "siblings"');
});
