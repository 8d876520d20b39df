import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HubError } from "../../src/checkpoint-hub/hub-error.ts";
import { localCheckpoint, namesCheckpoint } from "../../src/checkpoint-hub/local-checkpoint.ts";
import { loadCheckpoint } from "../../src/tokenizer/checkpoint.ts";
import { demoTokenizerDefinition } from "../../src/tokenizer/demo-checkpoint.ts";
import { FakeHub, type FakeHubOptions, fakeCommit, fakeRepository } from "../fixtures/fake-hub.ts";

const root = mkdtempSync(join(tmpdir(), "session-server-hub-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const tokenizer = demoTokenizerDefinition().json;
const files = {
  ".gitattributes": "*",
  "additional_chat_templates/tool_use.jinja": "with tools",
  "chat_template.jinja": "from the hub",
  "config.json": '{"model_type": "test"}',
  "model.safetensors": "weights",
  "tokenizer.json": tokenizer,
  "tokenizer_config.json": '{"eos_token": "<|im_end|>"}',
};
const large = ["tokenizer.json"];

const mebibyte = 1024 * 1024;

let caches = 0;

interface Found {
  readonly directory: string;
  readonly output: string;
}

/** What a server finds that starts with this hub and an empty cache, or the given one. */
async function find(
  hub: FakeHub | null,
  environment: Record<string, string> = {},
  name = fakeRepository,
): Promise<Found> {
  let output = "";
  const endpoint = hub?.endpoint ?? "http://127.0.0.1:9";
  const given = { HF_HOME: join(root, String(caches++)), HF_ENDPOINT: endpoint, ...environment };
  const stream = {
    write(text: string) {
      output += text;
      return true;
    },
  };
  return { directory: await localCheckpoint(name, given, stream as never), output };
}

async function refusal(finding: Promise<Found>): Promise<string> {
  try {
    await finding;
  } catch (error) {
    expect(error).toBeInstanceOf(HubError);
    return (error as HubError).message;
  }
  throw new Error("nothing was refused");
}

async function withHub(options: Partial<FakeHubOptions>, use: (hub: FakeHub) => Promise<void>) {
  await using hub = await FakeHub.start({ files, large, ...options });
  await use(hub);
}

describe("localCheckpoint() finds", () => {
  test("a directory as it is", async () => {
    expect((await find(null, {}, "test/fixtures")).directory).toBe(
      join(process.cwd(), "test/fixtures"),
    );
  });

  test("a snapshot of the cache by ref and by commit, without the hub", async () => {
    const cache = join(root, "python");
    const repository = join(cache, "models--org--cached");
    const snapshot = join(repository, "snapshots", fakeCommit);
    mkdirSync(snapshot, { recursive: true });
    mkdirSync(join(repository, "refs"));
    mkdirSync(join(repository, "blobs"));
    writeFileSync(join(repository, "refs", "main"), fakeCommit);
    writeFileSync(join(repository, "blobs", "b"), "{}");
    for (const name of ["tokenizer.json", "tokenizer_config.json"]) {
      symlinkSync("../../blobs/b", join(snapshot, name));
    }
    const environment = { HF_HUB_CACHE: cache, HF_HUB_OFFLINE: "1" };
    for (const name of ["org/cached", `org/cached@${fakeCommit}`]) {
      expect((await find(null, environment, name)).directory).toBe(snapshot);
    }
    expect(await refusal(find(null, environment, "org/cached@other"))).toContain(
      "HF_HUB_OFFLINE forbids",
    );
  });
});

describe("localCheckpoint() downloads", () => {
  test("what a server reads, as a checkpoint that loads, and then asks no more", async () => {
    await withHub({}, async (hub) => {
      const environment = { HF_HUB_CACHE: join(root, "downloaded") };
      const { directory, output } = await find(hub, environment);
      expect(directory).toBe(
        join(root, `downloaded/models--org--model-1B/snapshots/${fakeCommit}`),
      );
      const checkpoint = await loadCheckpoint(directory, { chatTemplatePath: null });
      expect(checkpoint.modelType).toBe("test");
      expect(checkpoint.chatTemplate?.render(new Map())).toBe("from the hub");
      expect(checkpoint.toolChatTemplate?.render(new Map())).toBe("with tools");
      expect(output).toContain("downloaded org/model-1B/tokenizer.json: ");
      expect(output).not.toContain("safetensors");
      const asked = hub.requests.length;
      expect((await find(hub, environment)).directory).toBe(directory);
      expect(hub.requests.length).toBe(asked);
      const ref = join(root, "downloaded/models--org--model-1B/refs/main");
      expect(readFileSync(ref, "utf8")).toBe(fakeCommit);
    });
  });

  const big = { ...files, "tokenizer.json": tokenizer.padEnd(4 * mebibyte) };
  const whole = 99 * mebibyte;
  /** The files that come before the tokenizer are not cut. */
  const before = [whole, whole, whole, whole];

  function startsOf(hub: FakeHub): number[] {
    const asked = hub.requests.filter(({ url }) => url === "/tokenizer.json");
    return asked.map(({ range }) => Number(range?.match(/\d+/)?.[0] ?? 0));
  }

  test("on from where a connection broke", async () => {
    const cutAt = [...before, mebibyte, mebibyte];
    await withHub({ files: big, cutAt }, async (hub) => {
      const { directory } = await find(hub);
      expect(readFileSync(join(directory, "tokenizer.json"), "utf8")).toBe(big["tokenizer.json"]);
      const [first, second = 0, third = 0, ...more] = startsOf(hub);
      expect([first, more]).toEqual([0, []]);
      expect(second).toBeGreaterThan(0);
      expect(third).toBeGreaterThan(second);
    });
  });

  test("on from where an earlier start gave up", async () => {
    const environment = { HF_HOME: join(root, "given-up") };
    const cutAt = [...before, mebibyte, 0, 0, 0, 0, 0];
    await withHub({ files: big, cutAt }, async (hub) => {
      expect(await refusal(find(hub, environment))).toMatch(
        /tokenizer.json: 5 connections in a row brought nothing, at byte [1-9]\d+ of \d+/,
      );
    });
    await withHub({ files: big }, async (hub) => {
      const { directory } = await find(hub, environment);
      expect(readFileSync(join(directory, "tokenizer.json"), "utf8")).toBe(big["tokenizer.json"]);
      expect(startsOf(hub)).toEqual([expect.any(Number)]);
      expect(startsOf(hub)[0]).toBeGreaterThan(0);
    });
  });

  test("with HF_TOKEN, which goes to no other origin", async () => {
    await withHub({ token: "hf_secret" }, async (hub) => {
      expect(await refusal(find(hub))).toContain("or needs a token in HF_TOKEN");
      expect(await refusal(find(hub, { HF_TOKEN: "wrong" }))).toContain("HF_TOKEN may not read it");
      const { directory } = await find(hub, { HF_TOKEN: "hf_secret" });
      expect(readFileSync(join(directory, "tokenizer.json"), "utf8")).toBe(tokenizer);
      const stored = hub.requests.filter(({ url }) => url === "/tokenizer.json");
      expect(stored.map(({ token }) => token)).toEqual([null]);
    });
  });
});

describe("localCheckpoint() refuses", () => {
  test("content with another hash, and does not keep it", async () => {
    await withHub({ corrupt: "tokenizer_config.json" }, async (hub) => {
      const environment = { HF_HOME: join(root, "corrupt") };
      expect(await refusal(find(hub, environment))).toMatch(
        /org\/model-1B\/tokenizer_config.json arrived with the hash [0-9a-f]{40}; expected/,
      );
    });
  });

  test("a repository without a tokenizer, or that is not there", async () => {
    await withHub({ files: { "config.json": "{}" } }, async (hub) => {
      expect(await refusal(find(hub))).toContain("has neither tokenizer.json nor tiktoken.model");
      expect(await refusal(find(hub, {}, "org/other"))).toMatch(/answered 404 .*does not exist/);
    });
  });

  test("a hub that cannot be reached, and a name that is none", async () => {
    expect(await refusal(find(null))).toBeString();
    expect(await refusal(find(null))).toMatch(
      /checkpoint org\/model-1B is no directory here and is not in .*cannot be reached/,
    );
    expect(await refusal(find(null, {}, "no such directory"))).toContain(
      "is neither a directory nor a name",
    );
  });
});

test("namesCheckpoint() takes directories and names of the hub", () => {
  const taken = ["src", "Qwen/Qwen3-8B", "gpt2", "a/b@v1.0"];
  expect(taken.filter(namesCheckpoint)).toEqual(taken);
  expect(["a/b/c", "", "-x", "a b", "./src/none", "package.json"].filter(namesCheckpoint)).toEqual(
    [],
  );
});
