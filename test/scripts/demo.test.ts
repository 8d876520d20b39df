import { expect, test } from "bun:test";
import { join } from "node:path";
import { hangMs } from "../harness/time-limit.ts";

const repository = join(import.meta.dir, "../..");

test(
  "demo runs to its end, checks everything and writes plain lines into a pipe",
  async () => {
    const demo = Bun.spawn([process.execPath, "run", "demo"], {
      cwd: repository,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [output, errors] = await Promise.all([demo.stdout.text(), demo.stderr.text()]);
    expect({ exitCode: await demo.exited, errors }).toMatchObject({ exitCode: 0 });
    expect(output).toContain("router and 4 workers");
    expect(output.match(/ {2}right$/gm)).toHaveLength(8);
    expect(output.match(/^[0-9a-f]{8} .* yes .* MiB {2}none$/gm)).toHaveLength(8);
    expect(output).toMatch(/turns\/s: every check passed\n$/);
    expect(output).not.toContain("\x1b");
  },
  hangMs,
);
