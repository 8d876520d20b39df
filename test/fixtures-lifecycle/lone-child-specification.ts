/** Specifications of children that run lone-child.ts. */
import { fileURLToPath } from "node:url";
import type { LogLevel } from "../../src/config.ts";
import { type ChildSpecification, specifyChild } from "../../src/lifecycle/child-specification.ts";
import { fixtureConfig } from "./fixture-server.ts";

const program = [process.execPath, fileURLToPath(new URL("lone-child.ts", import.meta.url))];

export interface LoneChildOptions {
  /** This process by default. */
  readonly parentPid?: number;
  readonly logLevel?: LogLevel;
}

export function loneChild(
  name: string,
  behaviour = "",
  { parentPid = process.pid, logLevel = "silent" }: LoneChildOptions = {},
): ChildSpecification {
  return specifyChild(
    program,
    { role: "single", name, parentPid, config: { ...fixtureConfig, logLevel } },
    { ...process.env, FIXTURE_BEHAVIOUR: behaviour },
  );
}
