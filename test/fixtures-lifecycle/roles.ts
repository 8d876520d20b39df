/**
 * A program that plays every role of a session server around the fixture handler. What goes wrong
 * is told by the environment: FIXTURE_FAULT = "NAME OF CHILD: fault".
 */
import {
  type ChildParameters,
  type RunningRole,
  readChildParameters,
} from "../../src/lifecycle/child-contract.ts";
import { liveAsChild } from "../../src/lifecycle/life-as-child.ts";
import { configureLog } from "../../src/log.ts";
import { runRouter } from "../../src/router/main.ts";
import { UsageError } from "../../src/usage-error.ts";
import { runWorker } from "../../src/worker/main.ts";
import { createFixtureHandler } from "./fixture-handler.ts";

const parameters = readChildParameters(process.env);
if (parameters === null) throw new Error("to be started by a supervisor");
configureLog(parameters.name, parameters.config.logLevel);
await liveAsChild(parameters, () => start(parameters));

async function start(parameters: ChildParameters): Promise<RunningRole> {
  const [name, fault] = (process.env["FIXTURE_FAULT"] ?? "").split(": ");
  if (name === parameters.name) await misbehave(fault);
  if (parameters.role === "router") return runRouter(parameters);
  if (parameters.role === "worker") {
    return runWorker(parameters, async () => createFixtureHandler(parameters.workerIndex));
  }
  return serve(parameters);
}

async function misbehave(fault: string | undefined): Promise<void> {
  if (fault === "throws at start") throw new Error("no such checkpoint");
  if (fault === "takes no such checkpoint") {
    throw new UsageError("no tokenizer", {
      fault: { setting: "hfCheckpoint", problem: "no tokenizer", expected: "y" },
    });
  }
  if (fault === "exits at start") {
    process.stderr.write("first\nsecond\n");
    process.exit(7);
  }
  if (fault === "never ready") await new Promise(() => {});
  if (fault === "ignores SIGTERM") {
    process.removeAllListeners("SIGTERM");
    process.on("SIGTERM", () => {});
  }
}

/** Stands for the roles that are one HTTP server: the single process and the mock engine. */
function serve(parameters: ChildParameters): RunningRole {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.json({ role: parameters.role, backendUrl: parameters.config.backendUrl }),
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port ?? 0,
    stop: () => server.stop(true),
  };
}
