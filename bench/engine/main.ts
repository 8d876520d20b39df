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
  const server = startEngineServer(await loadWorkload(directory), Number(port));
  process.send?.({ port: server.port } satisfies EngineReady);
}
