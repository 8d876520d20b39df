import { describe, expect, test } from "bun:test";
import { parseSoakOptions } from "../../../scripts/soak/options.ts";

describe("parseSoakOptions()", () => {
  test("soaks a thousand sessions for ten minutes by default", () => {
    expect(parseSoakOptions([])).toMatchObject({ seconds: 600, sessions: 1_000 });
  });

  test("takes minutes or seconds, and everything else by name", () => {
    const words = ["--minutes", "2", "--sessions", "10", "--workers", "1", "--seed", "7"];
    expect(parseSoakOptions([...words, "--think-ms", "5"])).toEqual({
      ...{ seconds: 120, sessions: 10, workers: 1, seed: 7, thinkMsMax: 5 },
    });
    expect(parseSoakOptions(["--seconds", "3"]).seconds).toBe(3);
  });

  test.each([[["--hours", "1"]], [["--minutes"]], [["--minutes", "x"]], [["--toString", "1"]]])(
    "refuses %j",
    (words) => {
      expect(() => parseSoakOptions(words)).toThrow("expected --minutes");
    },
  );
});
