/**
 * The role `mock-engine`: a mock engine as a child process, the backend of a server that was
 * started without one.
 */
import type { MockEngineParameters, RunningRole } from "../lifecycle/child-contract.ts";
import { log } from "../log.ts";
import { startMockEngine } from "./engine.ts";

/** @throws Error when the checkpoint cannot be read */
export async function runMockEngine(parameters: MockEngineParameters): Promise<RunningRole> {
  const { hfCheckpoint, chatTemplatePath } = parameters.config;
  const engine = await startMockEngine({ hfCheckpoint, chatTemplatePath, requestsKeptMax: 0 });
  log.debug(`mock engine listens on ${engine.url}`);
  return {
    url: engine.url,
    port: engine.port,
    stop: async () => engine.stop(),
  };
}
