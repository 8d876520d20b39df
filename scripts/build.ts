/**
 * `bun run build`: one executable that needs nothing installed, dist/session-server. It starts
 * itself again in each role. `--outfile <path>` puts it elsewhere.
 *
 * Contract   builds for this machine, without a network; prints the path and the size.
 * Not here   strip: the executable carries the program behind its own end and would lose it.
 */
import { mkdir } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureDependencies, projectRoot } from "./dependencies.ts";

const entryPoint = "src/supervisor.ts";

/** @throws Error when the bundler fails; it has said why */
export async function build(outfile: string): Promise<void> {
  await mkdir(dirname(outfile), { recursive: true });
  const bundler = Bun.spawn(
    [
      process.execPath,
      "build",
      "--compile",
      "--minify",
      // The roles start a little faster from bytecode; top-level await needs the module format.
      "--bytecode",
      "--format=esm",
      // A server must not change with the files of the directory that it happens to start in.
      "--no-compile-autoload-dotenv",
      "--no-compile-autoload-bunfig",
      `--outfile=${outfile}`,
      entryPoint,
    ],
    { cwd: projectRoot, stdin: "ignore", stdout: 2, stderr: "inherit" },
  );
  const exitCode = await bundler.exited;
  if (exitCode !== 0) throw new Error(`bun build ended with code ${exitCode}`);
}

if (import.meta.main) {
  await ensureDependencies();
  const { values } = parseArgs({ options: { outfile: { type: "string" } } });
  const outfile = resolve(values.outfile ?? join(projectRoot, "dist", "session-server"));
  await build(outfile);
  const megabytes = (Bun.file(outfile).size / 1e6).toFixed(1);
  console.log(`${relative(process.cwd(), outfile)}  ${megabytes} MB`);
}
