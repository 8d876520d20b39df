import { describe, expect, test } from "bun:test";
import { LastWords } from "../../src/lifecycle/last-words.ts";
import { lastWordsBytes } from "../../src/limits.ts";

async function wordsOf(...chunks: string[]) {
  async function* stream() {
    for (const chunk of chunks) yield new TextEncoder().encode(chunk);
  }
  const passedOn: string[] = [];
  const words = new LastWords();
  await words.follow(stream(), (chunk) => passedOn.push(new TextDecoder().decode(chunk)));
  return { text: words.text, passedOn: passedOn.join("") };
}

describe("LastWords", () => {
  test("passes every byte on and quotes the last lines as one", async () => {
    const { text, passedOn } = await wordsOf("one\ntwo\nth", "ree\n\n  four\n", "five");
    expect(passedOn).toBe("one\ntwo\nthree\n\n  four\nfive");
    expect(text).toBe("two | three | four | five");
  });

  test("is empty for a child that said nothing", async () => {
    expect((await wordsOf()).text).toBe("");
    expect((await wordsOf("\n \n")).text).toBe("");
  });

  test("leaves out the runtime's signature below a crash report", async () => {
    const report = "error: boom\n      at main.ts:1\n\nBun v1.4.5 (Linux x64)\n";
    expect((await wordsOf(report)).text).toBe("error: boom | at main.ts:1");
  });

  test("quotes what the runtime died of, not what it asks for when it crashes", async () => {
    const report = [
      "============================================================",
      "Bun v1.4.5 (a7733435c) Linux x64",
      "Elapsed: 255ms | User: 89ms | Sys: 21ms",
      "RSS: 64.83 MB | Peak: 64.83 MB | Commit: 98.70 MB",
      "",
      "panic(main thread): Segmentation fault at address 0x4033",
      "oh no: Bun has crashed. This indicates a bug in Bun, not your code.",
      "",
      "To send a redacted crash report to Bun's team,",
      "please file a GitHub issue using the link below:",
      "",
      " https://bun.report/1.4.5/la1",
    ];
    const { text } = await wordsOf(report.join("\n"));
    expect(text).toEndWith(
      " | panic(main thread): Segmentation fault at address 0x4033 | https://bun.report/1.4.5/la1",
    );
  });

  test("keeps a bounded tail of a child that talks without end", async () => {
    const { text } = await wordsOf(
      ..."x"
        .repeat(50)
        .split("")
        .map(() => "y".repeat(1_000)),
      "end",
    );
    expect(text.length).toBe(lastWordsBytes);
    expect(text).toEndWith("yend");
  });
});
