/**
 * One process of the bench engine. Arguments: workload directory and port, 0 for any.
 */
import { loadWorkload } from "../workload/workload.ts";
import { startEngineServer } from "./server.ts";

export interface EngineReady {
  readonly port: number;
}

if (import.meta.main) {
  const [directory = "", port = "0"] = process.argv.slice(2);
  const workload = await loadWorkload(directory);
  try {
    const server = startEngineServer(workload, Number(port));
    process.send?.({ port: server.port } satisfies EngineReady);
  } catch (error) {
    console.error(`port ${port}: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}
