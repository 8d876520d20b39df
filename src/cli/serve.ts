/**
 * A session server in the life of the program: started, told where it listens, watched, stopped.
 *
 * Contract   one worker is served by this very process, more by a group of children. The server
 *            ends when it is told to, or with the first failure.
 * Reports    `serving` rejects as that of SessionServerSupervisor does.
 * Not here   signals (main.ts), what is served (single/, router/, worker/), arguments
 *            (command-line.ts).
 */
import { mockBackend, type ServerConfig } from "../config.ts";
import { ChildGroup } from "../lifecycle/child-group.ts";
import {
  mockEngineParameters,
  ownProgram,
  specifyChild,
} from "../lifecycle/child-specification.ts";
import { requireListenAddress } from "../lifecycle/listen-address.ts";
import { SessionServerSupervisor } from "../lifecycle/session-server-supervisor.ts";
import { requireSettingFiles } from "../lifecycle/setting-files.ts";
import { startWarnings } from "../lifecycle/start-warnings.ts";
import { stopDrainMs } from "../limits.ts";
import { log } from "../log.ts";
import { inNames, type SettingNames } from "../usage-error.ts";
import { startRole } from "./roles.ts";

export interface Serving {
  readonly url: string;
  /** Resolves when the server can no longer do its work. */
  readonly failed: Promise<Error>;
  /** @param drainMs what replies under way get; by default that of a server told to stop */
  stop(drainMs?: number): Promise<void>;
}

/** A server that is starting: it can be stopped before it serves. */
export interface Starting {
  readonly serving: Promise<Serving>;
  stop(): Promise<void>;
}

/** @param names what messages call the settings */
export function startServing(config: ServerConfig, names: SettingNames): Starting {
  if (config.workers === 1) return startHere(config, names);
  const supervisor = new SessionServerSupervisor(config, { names });
  const stop = () => supervisor.shutdown();
  const serving = supervisor.start().then(({ url }) => ({ url, failed: supervisor.failed, stop }));
  return { serving, stop };
}

/** Core and HTTP in this process; only a mock engine is a child. */
function startHere(config: ServerConfig, names: SettingNames): Starting {
  const children = new ChildGroup();
  let stopServer = async (_drainMs: number): Promise<void> => {};
  const stop = async (drainMs = stopDrainMs): Promise<void> => {
    await stopServer(drainMs);
    await children.shutdown();
  };
  const start = async (): Promise<Serving> => {
    for (const warning of startWarnings(config, names)) log.warn(warning);
    requireSettingFiles(config, names);
    await requireListenAddress(config, names);
    const backendUrl = await startBackend(config, children);
    const parentPid = process.pid;
    const role = await startRole({
      role: "single",
      name: "server",
      parentPid,
      config: { ...config, backendUrl },
    });
    stopServer = (drainMs) => role.stop(drainMs);
    return { url: role.url ?? "", failed: children.failed, stop };
  };
  const serving = start().catch((error: unknown) => {
    throw inNames(error, names);
  });
  return { serving, stop };
}

async function startBackend(config: ServerConfig, children: ChildGroup): Promise<string> {
  if (config.backendUrl !== mockBackend) return config.backendUrl;
  const specification = specifyChild(ownProgram(), mockEngineParameters(config));
  const [address] = await children.start([specification]);
  return address?.url ?? "";
}
