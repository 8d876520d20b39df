/**
 * The engine of a run: several processes that share one port.
 */
import { join } from "node:path";
import type { ChildProcess, ChildProcesses } from "../process/child-processes.ts";
import { LaunchError } from "../target/launch.ts";
import type { EngineReady } from "./main.ts";

export interface EngineGroup {
  readonly url: string;
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

/**
 * @param port 0 lets the system choose
 * @throws LaunchError when the port is taken
 */
export async function startEngineGroup(
  processes: ChildProcesses,
  processCount: number,
  workloadDirectory: string,
  port: number,
): Promise<EngineGroup> {
  const children: ChildProcess[] = [];
  let sharedPort = port;
  for (let index = 0; index < processCount; index += 1) {
    const ready = Promise.withResolvers<EngineReady>();
    const child = processes.start(`engine ${index + 1}`, {
      argv: [
        process.execPath,
        join(import.meta.dir, "main.ts"),
        workloadDirectory,
        String(sharedPort),
      ],
      onMessage: (message) => ready.resolve(message as EngineReady),
    });
    void child.ended.then((how) => {
      ready.reject(
        new LaunchError(`${child.name} did not start, ${how}: ${child.stderr().trim()}`),
      );
    });
    // Its end is only of interest until it is ready.
    ready.promise.catch(() => {});
    children.push(child);
    // The first one learns which port the others share.
    sharedPort = (await ready.promise).port;
  }
  return {
    url: `http://127.0.0.1:${sharedPort}`,
    pids: children.map((child) => child.pid),
    stop: async () => {
      await Promise.all(children.map((child) => child.stop()));
    },
  };
}
