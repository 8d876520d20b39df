import { expect, test } from "bun:test";
import { CheckpointError } from "../../src/tokenizer/checkpoint-error.ts";

test("CheckpointError names itself and keeps its cause", () => {
  const cause = new Error("ENOENT");
  const error = new CheckpointError("tokenizer.json does not exist", { cause });
  expect([error.name, error.message, error.cause]).toEqual([
    "CheckpointError",
    "tokenizer.json does not exist",
    cause,
  ]);
});
