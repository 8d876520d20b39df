import { expect, test } from "bun:test";
import { createDisplay, formatTable } from "../../../scripts/demo/display.ts";

function show(isTTY: boolean, environment: Record<string, string> = {}): string {
  let written = "";
  const display = createDisplay(
    {
      isTTY,
      write: (text) => {
        written += text;
      },
    },
    environment,
  );
  display.heading("Start");
  display.progress("1 of 2");
  display.line(display.good("yes"));
  return written;
}

test("createDisplay() writes plain lines when nobody watches", () => {
  expect(show(false)).toBe("\nStart\nyes\n");
});

test("createDisplay() colours and moves on a terminal, and honours NO_COLOR", () => {
  expect(show(true)).toContain("\x1b[32myes\x1b[0m");
  expect(show(true)).toContain("\r\x1b[2K1 of 2");
  expect(show(true, { NO_COLOR: "1" })).not.toContain("\x1b[32m");
  expect(show(true, { NO_COLOR: "" })).toContain("\x1b[32m");
});

test("formatTable() aligns words to the left and numbers to the right", () => {
  const rows = [
    ["name", "n"],
    ["\x1b[32mé\x1b[0m", "1"],
    ["long name", "100"],
  ];
  expect(formatTable(rows).map((line) => Bun.stripANSI(line))).toEqual([
    "name         n",
    "é            1",
    "long name  100",
  ]);
});
