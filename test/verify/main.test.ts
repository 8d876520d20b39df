import { expect, test } from "bun:test";
import { join } from "node:path";
import type { TitoFamily } from "../../src/config.ts";
import { verifyFamily } from "../../src/verify/main.ts";
import { checkpointDirectory } from "../fixtures/checkpoints.ts";

async function verify(hfCheckpoint: string | null, titoModel: TitoFamily, kwargs = "{}") {
  let report = "";
  const verification = await verifyFamily(
    {
      hfCheckpoint,
      titoModel,
      chatTemplatePath: null,
      chatTemplateKwargs: kwargs,
      tokenizer: "auto",
    },
    (text) => {
      report += text;
    },
  );
  return { verification, report };
}

test("verifyFamily() holds for families on the tokenizers of real checkpoints", async () => {
  for (const family of ["qwen3", "qwen35", "qwennext"] as const) {
    const { verification, report } = await verify(checkpointDirectory("qwen3"), family);
    expect(verification, report).toEqual(true);
  }
  const { verification } = await verify(checkpointDirectory("deepseekv32"), "deepseekv32");
  expect(verification).toEqual(true);
});

test("verifyFamily() fails for Qwen3's own template, which drops thinking from the past", async () => {
  const { verification, report } = await verify(checkpointDirectory("qwen3"), "default");
  expect(verification).toEqual(false);
  expect(report).toMatch(/family default on checkpoint .*: \d+ of 36 turns fail\n$/);
  expect(report).toContain("the longer render does not begin with the history's:");
});

test("verifyFamily() says what does not fit together", async () => {
  await expect(verify(null, "glm47")).rejects.toMatchObject({
    name: "CheckpointError",
    message: expect.stringContaining("checkpoint demo has no token <|user|>"),
    fault: { setting: "titoModel", relation: { other: "hfCheckpoint" } },
  });
  await expect(verify(null, "qwen3", '{"clear_thinking": true}')).rejects.toMatchObject({
    name: "UsageError",
    message: expect.stringContaining("clear_thinking=True conflicts"),
    fault: { setting: "chatTemplateKwargs" },
  });
});

test("`session-server verify` reports on stdout and tells by its exit code", () => {
  const run = (...words: string[]) =>
    Bun.spawnSync(
      [process.execPath, join(import.meta.dir, "../../src/supervisor.ts"), "verify", ...words],
      { env: { ...process.env, SESSION_SERVER_LOG_LEVEL: "error" } },
    );
  const holds = run("--tito-model", "qwen3");
  expect([holds.exitCode, holds.stderr.toString()]).toEqual([0, ""]);
  expect(holds.stdout.toString()).toContain("family qwen3 on checkpoint demo: append-only");
  const told = run("--log-level", "warn");
  expect(told.stderr.toString()).toContain("only the bundled demo checkpoint is verified");
  const impossible = run("--tito-model", "glm47");
  expect([impossible.exitCode, impossible.stdout.toString()]).toEqual([2, ""]);
  expect(impossible.stderr.toString()).toStartWith(
    'session-server: --tito-model "glm47" conflicts with --hf-checkpoint: checkpoint demo has no ',
  );
  expect(run("--tito-model", "none").exitCode).toBe(2);
});
