// spec: ARCHITECTURE.md, "Process life"
/**
 * Children as data: what is run, under which name, with which environment.
 *
 * Contract   a specification is made without starting anything. A child inherits the environment of
 *            this process except for what would make it another program or let it outlive us.
 * Not here   starting it (child.ts), what its parameters mean (child-contract.ts).
 */
import { fileURLToPath } from "node:url";
import type { ServerConfig } from "../config.ts";
import {
  type ChildParameters,
  type ChildRole,
  childParametersVariable,
  type MockEngineParameters,
} from "./child-contract.ts";

export interface ChildSpecification {
  /** As error messages name it: "worker 3/16". */
  readonly name: string;
  readonly role: ChildRole;
  /** The program and its arguments; the role is the last of them. */
  readonly argv: readonly string[];
  /** What `ps` shows in place of the program. */
  readonly argv0: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What a mock engine is told: no client reaches it, so it gets no secrets. */
export function mockEngineParameters(config: ServerConfig): MockEngineParameters {
  return {
    role: "mock-engine",
    name: "mock engine",
    parentPid: process.pid,
    config: withoutSecrets(config),
  };
}

/** For a child that no client can reach. */
export function withoutSecrets(config: ServerConfig): ServerConfig {
  return { ...config, authToken: null };
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The command that runs a role, without the role: this package's program, by the runtime that runs
 * us or out of the executable that we are compiled into. A program that embeds the supervisor and
 * is itself compiled must dispatch roles as src/supervisor.ts does, or pass another command.
 */
export function ownProgram(): readonly string[] {
  if (Bun.isStandaloneExecutable) return [process.execPath];
  return [process.execPath, fileURLToPath(new URL("../supervisor.ts", import.meta.url))];
}

export function specifyChild(
  program: readonly string[],
  parameters: ChildParameters,
  inherited: Environment = process.env,
): ChildSpecification {
  return {
    name: parameters.name,
    role: parameters.role,
    argv: [...program, parameters.role],
    argv0: `session-server ${parameters.name}`,
    environment: {
      ...inheritable(inherited),
      // The kernel kills the child with its parent, also while it is busy and sees no end of stdin.
      BUN_FEATURE_FLAG_NO_ORPHANS: "1",
      [childParametersVariable]: JSON.stringify(parameters),
    },
  };
}

/**
 * Variables that turn a compiled executable into another program or give it other flags, and the
 * token, which a child gets with its parameters if it needs it.
 */
const notInherited: readonly string[] = ["BUN_OPTIONS", "BUN_BE_BUN", "SESSION_SERVER_AUTH_TOKEN"];

function inheritable(inherited: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && !notInherited.includes(name)) kept[name] = value;
  }
  return kept;
}
