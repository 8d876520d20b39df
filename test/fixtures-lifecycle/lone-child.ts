/**
 * A child without a server: reports ready, does what the environment says (FIXTURE_BEHAVIOUR), and
 * ends when it is stopped.
 */
import { readChildParameters } from "../../src/lifecycle/child-contract.ts";
import { liveAsChild } from "../../src/lifecycle/life-as-child.ts";
import { configureLog } from "../../src/log.ts";
import { UsageError } from "../../src/usage-error.ts";

const parameters = readChildParameters(process.env);
if (parameters === null) throw new Error("to be started by a supervisor");
configureLog(parameters.name, parameters.config.logLevel);
const behaviour = process.env["FIXTURE_BEHAVIOUR"] ?? "";

await liveAsChild(parameters, async () => {
  switch (behaviour) {
    case "cannot start":
      throw new Error("no such checkpoint");
    case "takes no such checkpoint":
      throw new UsageError("no tokenizer", {
        fault: { setting: "hfCheckpoint", problem: "no tokenizer" },
      });
    case "never ready, does not stop":
      process.removeAllListeners("SIGTERM");
      process.on("SIGTERM", () => {});
      return new Promise(() => {});
    case "has a bug at start":
      throw new TypeError("undefined is not a function");
    case "dies at start":
      process.stderr.write("first\nsecond\n");
      return process.exit(7);
    case "leaves its stderr to another process": {
      // A grandchild: it outlives us.
      const shell = ["sh", "-c", "sleep 600 <&- >&- & echo $! >&2"];
      await Bun.spawn(shell, { stdio: ["ignore", "ignore", "inherit"] }).exited;
      return process.exit(7);
    }
    case "never ready":
      process.stderr.write("starting\n");
      return new Promise(() => {});
    case "crashes later":
      setTimeout(() => {
        throw new Error("a bug");
      }, 20);
      break;
    case "rejects later":
      setTimeout(() => void Promise.reject(new Error("a forgotten promise")), 20);
      break;
    case "stops, and is not gone":
      process.on("exit", () => process.kill(process.pid, "SIGSTOP"));
      break;
    case "talks on stdout":
      process.stdout.write("to stdout\n");
      break;
  }
  const failed = Promise.withResolvers<Error>();
  if (behaviour === "fails later") setTimeout(() => failed.resolve(new Error("lost it all")), 20);
  return {
    url: "http://127.0.0.1:1",
    port: 1,
    failed: failed.promise,
    async stop(graceMs) {
      if (behaviour === "does not stop") await new Promise(() => {});
      process.stderr.write(`stopped within ${graceMs}\n`);
    },
  };
});
