import { expect, test } from "bun:test";
import { downloadProgress } from "../../src/checkpoint-hub/download-progress.ts";

function written(isTTY: boolean): string {
  let text = "";
  const output = {
    isTTY,
    write(part: string) {
      text += part;
      return true;
    },
  };
  const progress = downloadProgress(output as never);
  progress.start("org/m/tokenizer.json", 3 * 1024 * 1024);
  progress.reach(1024 * 1024);
  progress.reach(3 * 1024 * 1024);
  progress.end();
  return text;
}

test("downloadProgress() rewrites one line on a terminal", () => {
  const lines = written(true).split("\r\x1b[K");
  expect(lines[1]).toBe("org/m/tokenizer.json [########................] 1.0 of 3.0 MiB");
  expect(lines.at(-1)).toBe("org/m/tokenizer.json [########################] 3.0 of 3.0 MiB\n");
});

test("downloadProgress() writes begin and end elsewhere", () => {
  expect(written(false)).toBe(
    "downloading org/m/tokenizer.json (3.0 MiB)\ndownloaded org/m/tokenizer.json: 3.0 of 3.0 MiB\n",
  );
});
