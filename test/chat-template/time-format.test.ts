import { describe, expect, test } from "bun:test";
import { formatTime } from "../../src/chat-template/time-format.ts";

const time = new Date(2026, 0, 4, 15, 6, 7, 89);

describe("formatTime() is strftime in the C locale", () => {
  test.each([
    ["%Y-%m-%d %H:%M:%S.%f", "2026-01-04 15:06:07.089000"],
    ["%d %B %Y, %A", "04 January 2026, Sunday"],
    ["%a %b %e %I:%M %p", "Sun Jan  4 03:06 PM"],
    ["%-d/%-m/%y %j %U %W %V %G %u %w", "4/1/26 004 01 00 01 2026 7 0"],
    ["%D %F %T %R %h %n%t%%", "01/04/26 2026-01-04 15:06:07 15:06 Jan \n\t%"],
    ["%c|%x|%X", "Sun Jan  4 15:06:07 2026|01/04/26|15:06:07"],
    ["%z%Z%Q", "%Q"],
  ])("%s", (format, text) => {
    expect(formatTime(time, format)).toBe(text);
  });

  test("puts the last days of a year into the ISO week of their Thursday", () => {
    expect(formatTime(new Date(2024, 11, 30), "%G-W%V")).toBe("2025-W01");
    expect(formatTime(new Date(2027, 0, 1), "%G-W%V")).toBe("2026-W53");
  });
});
