import { expect, test } from "bun:test";
import { exitCodeMeanings, exitCodes } from "../../src/cli/exit-codes.ts";

test("exitCodeMeanings has each exit code of the program once, in order, and the signals", () => {
  expect(exitCodeMeanings.map(({ code }) => code)).toEqual([
    ...Object.values(exitCodes).map(String),
    "128 + N",
  ]);
});
