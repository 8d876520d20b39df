/**
 * From a role's name to the code that runs it. Each role is loaded only by the process that is it,
 * so that a supervisor stays small and a router never sees a tokenizer.
 */
import type { ChildParameters, RunningRole } from "../lifecycle/child-contract.ts";

export async function startRole(parameters: ChildParameters): Promise<RunningRole> {
  switch (parameters.role) {
    case "worker":
      return (await import("../worker/main.ts")).runWorker(parameters);
    case "router":
      return (await import("../router/main.ts")).runRouter(parameters);
    case "single":
      return (await import("../single/main.ts")).runSingle(parameters.config);
    case "mock-engine":
      return (await import("../mock-engine/main.ts")).runMockEngine(parameters);
  }
}
