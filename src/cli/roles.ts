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
 * @returns null when the family holds what it promises; else what to tell, "" after a report
 */
export async function verify(config: ServerConfig): Promise<string | null> {
  const { verifyFamily } = await import("../verify/main.ts");
  const verification = await verifyFamily(config, (text) => process.stdout.write(text));
  if (verification.kind === "holds") return null;
  return verification.kind === "impossible" ? verification.reason : "";
}
