import { afterAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BlobSource, downloadBlob } from "../../src/checkpoint-hub/blob-download.ts";
import { HubError } from "../../src/checkpoint-hub/hub-error.ts";
import { hubFailuresMax } from "../../src/limits.ts";

const root = mkdtempSync(join(tmpdir(), "session-server-blob-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const silent = { start() {}, reach() {}, end() {} };
const content = "0123456789";
const hash = createHash("sha256").update(content).digest("hex");

function source(answer: (start: number) => Response, size = content.length): BlobSource {
  return { name: "f", file: { hash, size }, content: async (start) => answer(start) };
}

test("downloadBlob() begins again when the hub does not know ranges", async () => {
  const blob = join(root, "whole");
  writeFileSync(`${blob}.part`, "0123");
  await downloadBlob(
    source(() => new Response(content)),
    blob,
    silent,
  );
  expect(readFileSync(blob, "utf8")).toBe(content);
  expect(existsSync(`${blob}.part`)).toBe(false);
});

test("downloadBlob() asks nothing for a blob or a part that is whole", async () => {
  const blob = join(root, "rest");
  writeFileSync(`${blob}.part`, content);
  const unasked = source(() => {
    throw new Error("was asked");
  });
  await downloadBlob(unasked, blob, silent);
  await downloadBlob(unasked, blob, silent);
  expect(readFileSync(blob, "utf8")).toBe(content);
});

test("downloadBlob() gives up where connections end without a word, or the hub refuses", async () => {
  let asked = 0;
  const empty = source(() => {
    asked += 1;
    return new Response("");
  });
  await expect(downloadBlob(empty, join(root, "empty"), silent)).rejects.toThrow(
    `f: ${hubFailuresMax} connections in a row brought nothing, at byte 0 of 10 (it ended early)`,
  );
  expect(asked).toBe(hubFailuresMax);
  asked = 0;
  const refusing = source(() => {
    asked += 1;
    throw new HubError("no");
  });
  await expect(downloadBlob(refusing, join(root, "refused"), silent)).rejects.toThrow("no");
  expect(asked).toBe(1);
});

test("downloadBlob() goes on when the last of hubFailuresMax connections brings something", async () => {
  const blob = join(root, "late");
  let asked = 0;
  const late = source(() => {
    asked += 1;
    return new Response(asked < hubFailuresMax ? "" : content);
  });
  await downloadBlob(late, blob, silent);
  expect(readFileSync(blob, "utf8")).toBe(content);
});

test("downloadBlob() does not keep what is longer than it should be", async () => {
  const blob = join(root, "long");
  const long = source(() => new Response(`${content}more`));
  await expect(downloadBlob(long, blob, silent)).rejects.toThrow(
    "arrived with 14 bytes instead of 10",
  );
  expect(existsSync(blob)).toBe(false);
});
