/**
 * A program that embeds a fixture server, as a user's would: prints its address and children as one
 * line of JSON and stays until it is killed. argv: JSON of the settings that differ.
 */
import { fixtureServer } from "./fixture-server.ts";

if (import.meta.main) {
  const server = fixtureServer(JSON.parse(process.argv[2] ?? "{}"));
  const { url } = await server.start();
  process.stdout.write(`${JSON.stringify({ url, children: server.children })}\n`);
  // Keeps the process alive: a supervisor has nothing else to do.
  setInterval(() => server.check(), 1_000);
}
