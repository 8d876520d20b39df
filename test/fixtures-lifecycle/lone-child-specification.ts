/** Specifications of children that run lone-child.ts. */
import { fileURLToPath } from "node:url";
import { type ChildSpecification, specifyChild } from "../../src/lifecycle/child-specification.ts";
import { fixtureConfig } from "./fixture-server.ts";

const program = [process.execPath, fileURLToPath(new URL("lone-child.ts", import.meta.url))];

export function loneChild(
  name: string,
  behaviour = "",
  parentPid: number = process.pid,
): ChildSpecification {
  return specifyChild(
    program,
    { role: "single", name, parentPid, config: fixtureConfig },
    { ...process.env, FIXTURE_BEHAVIOUR: behaviour },
  );
}
