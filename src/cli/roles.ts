/**
 * From a role's name to the code that runs it, and to that of `verify`. Each is loaded only by the
 * process that is it, so that a supervisor stays small and a router never sees a tokenizer.
 */
import type { ServerConfig } from "../config.ts";
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

/**
 * Runs `session-server verify` with its report on stdout.
 *
 * @returns whether the family holds what it promises
 * @throws UsageError when it cannot be tried on this checkpoint
 */
export async function verify(config: ServerConfig): Promise<boolean> {
  const { verifyFamily } = await import("../verify/main.ts");
  return verifyFamily(config, (text) => process.stdout.write(text));
}
