/**
 * Makes a checkout runnable on a machine that has nothing but Bun: the first thing that every
 * script does.
 *
 * Contract   imports only what is built into Bun, because nothing else may be there yet. Installs
 *            exactly what bun.lock says when node_modules is missing or belongs to another
 *            bun.lock, and does nothing otherwise.
 */
import { join } from "node:path";

export const projectRoot = join(import.meta.dir, "..");

/** Holds the hash of the bun.lock that was installed. */
const stampPath = "node_modules/.installed-lockfile";

/** @returns whether something had to be installed; @throws Error when that failed */
export async function ensureDependencies(root: string = projectRoot): Promise<boolean> {
  const wanted = await lockfileHash(root);
  const stamp = Bun.file(join(root, stampPath));
  if ((await stamp.exists()) && (await stamp.text()) === wanted) return false;
  process.stderr.write("Installing the packages of bun.lock\n");
  const install = Bun.spawn([process.execPath, "install", "--frozen-lockfile"], {
    cwd: root,
    stdin: "ignore",
    // The scripts keep stdout for their own result.
    stdout: 2,
    stderr: "inherit",
  });
  const exitCode = await install.exited;
  if (exitCode !== 0) throw new Error(`bun install --frozen-lockfile ended with code ${exitCode}`);
  await Bun.write(stamp, wanted);
  return true;
}

/** package.json counts too: a dependency that the lockfile does not have must be an error. */
async function lockfileHash(root: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const name of ["bun.lock", "package.json"]) {
    hasher.update(await Bun.file(join(root, name)).text());
  }
  return hasher.digest("hex");
}
