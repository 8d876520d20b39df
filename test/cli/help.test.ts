import { describe, expect, test } from "bun:test";
import { exitCodeMeanings } from "../../src/cli/exit-codes.ts";
import { usage, version } from "../../src/cli/help.ts";
import { environmentVariable, settings } from "../../src/cli/settings.ts";

const plain = async (columns?: number) => Bun.stripANSI(await usage(columns));
const unwrapped = (text: string) => text.replaceAll(/\s+/g, " ");

describe("usage()", () => {
  test.each(settings.map((setting) => [setting.name, setting] as const))(
    "tells what --%s means, takes, and is by default",
    async (name, { description, accepted, ...setting }) => {
      const standard = setting.default === null ? " -" : ` (default: ${setting.default}) -`;
      const text = unwrapped(await plain());
      const flag = setting.kind === "switch" ? `--${name}` : `--${name}=<${setting.valueHint}>`;
      expect(text).toContain(` ${flag} ${description}; takes ${accepted}${standard}`);
    },
  );

  test("names the version, the variables, the subcommand and the exit codes", async () => {
    const text = unwrapped(await plain());
    expect(text).toContain(` (session-server v${version}) USAGE session-server [OPTIONS] OPTIONS `);
    expect(text).toContain(environmentVariable({ name: "backend-url" }));
    expect(text).toContain("`session-server verify` with the same flags");
    for (const { code, meaning } of exitCodeMeanings) {
      expect(text).toContain(`${code} ${meaning.replaceAll("`", "")}`);
    }
  });

  test.each([
    [undefined, 80],
    [0, 80],
    [80, 80],
    [92, 92],
    [100, 100],
    [250, 100],
  ])("on a terminal of %p columns is at most %d wide", async (columns, width) => {
    const widths = (await plain(columns)).split("\n").map((line) => line.length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(width);
    expect(Math.max(...widths)).toBeGreaterThan(width - 15);
  });
});
