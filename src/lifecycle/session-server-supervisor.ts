// spec: ARCHITECTURE.md, "Process life"
/**
 * A session server as one thing to start, watch and stop.
 *
 * Contract   one worker is one process; more are workers and a router, in this order. A server with
 *            the mock backend gets a mock engine first. `start` resolves when requests are
 *            answered. Nothing outlives the server, nor this process, however it ends.
 * Reports    `start` rejects with one line that names the child that could not start, or the
 *            address where nobody can listen; `failed` resolves to such a line when a child dies
 *            later, and `check` throws it from then on.
 * Limits     of ChildGroup. Not restartable: make a new one.
 * Not here   signals and exit codes of the program (cli/). Never on a data path.
 */
import { mockBackend, type ServerConfig, serverConfig } from "../config.ts";
import type { ChildAddress, ChildParameters, WorkerParameters } from "./child-contract.ts";
import { ChildGroup, type ChildGroupLimits } from "./child-group.ts";
import {
  mockEngineParameters,
  ownProgram,
  specifyChild,
  withoutSecrets,
} from "./child-specification.ts";
import { requireListenAddress } from "./listen-address.ts";
import { SocketDirectory } from "./socket-directory.ts";

export interface ServerAddress {
  readonly url: string;
  readonly port: number;
}

export interface SupervisorOptions {
  /** The command that runs a role when the role is appended; by default this package's own. */
  readonly program?: readonly string[];
  readonly limits?: Partial<ChildGroupLimits>;
}

export class SessionServerSupervisor {
  readonly #config: ServerConfig;
  readonly #program: readonly string[];
  readonly #group: ChildGroup;
  #sockets: SocketDirectory | null = null;
  #address: ServerAddress | null = null;
  #started = false;

  /** @throws UsageError when a member of the configuration is unknown or not acceptable */
  constructor(config: ServerConfig, options: SupervisorOptions = {}) {
    this.#config = serverConfig(config);
    this.#program = options.program ?? ownProgram();
    this.#group = new ChildGroup(options.limits);
  }

  /** Resolves to the cause when the server has failed; its teardown is then under way. */
  get failed(): Promise<Error> {
    return this.#group.failed;
  }

  /** Names and process ids of the children, in the order of their start. */
  get children(): readonly { readonly name: string; readonly pid: number }[] {
    return this.#group.children.map(({ name, pid }) => ({ name, pid }));
  }

  /** Starts the server. Once only; rejects when it was stopped or has failed. */
  async start(): Promise<ServerAddress> {
    if (this.#started) throw new Error("a session server is started once");
    this.#started = true;
    try {
      await requireListenAddress(this.#config);
      const config = await this.#withBackend();
      const front = config.workers === 1 ? this.#single(config) : await this.#sharded(config);
      const [address] = await this.#startAll([front]);
      this.#address = serverAddress(address);
      return this.#address;
    } catch (error) {
      await this.shutdown();
      throw error;
    }
  }

  /** Throws unless the server is up: not started yet, failed (the cause), or stopped. */
  check(): void {
    this.#group.check();
    if (this.#address === null) throw new Error("the session server is not ready");
  }

  /** Stops the server, also while it starts. Idempotent; resolves when no process is left. */
  async shutdown(): Promise<void> {
    await this.#group.shutdown();
    this.#sockets?.remove();
  }

  async #withBackend(): Promise<ServerConfig> {
    const config = this.#config;
    if (config.backendUrl !== mockBackend) return config;
    const [address] = await this.#startAll([mockEngineParameters(config)]);
    return { ...config, backendUrl: serverAddress(address).url };
  }

  #single(config: ServerConfig): ChildParameters {
    return { role: "single", name: "server", parentPid: process.pid, config };
  }

  async #sharded(config: ServerConfig): Promise<ChildParameters> {
    const sockets = await SocketDirectory.create();
    this.#sockets = sockets;
    const workers = Array.from({ length: config.workers }, (_, workerIndex): WorkerParameters => {
      return {
        role: "worker",
        name: `worker ${workerIndex + 1}/${config.workers}`,
        parentPid: process.pid,
        config: config.recordsPath === "redirect" ? config : withoutSecrets(config),
        workerIndex,
        socketPath: sockets.workerSocketPath(workerIndex),
      };
    });
    const addresses = await this.#startAll(workers);
    return {
      role: "router",
      name: "router",
      parentPid: process.pid,
      config,
      workerSocketPaths: workers.map((worker) => worker.socketPath),
      recordsPorts: recordsPorts(addresses),
    };
  }

  #startAll(stage: readonly ChildParameters[]): Promise<ChildAddress[]> {
    return this.#group.start(stage.map((parameters) => specifyChild(this.#program, parameters)));
  }
}

/** Either all workers have a listener of their own, or none has. */
function recordsPorts(addresses: readonly ChildAddress[]): number[] | null {
  const ports = addresses.flatMap(({ port }) => (port === null ? [] : [port]));
  return ports.length === addresses.length ? ports : null;
}

function serverAddress(address: ChildAddress | undefined): ServerAddress {
  if (address?.url == null || address.port === null) {
    throw new Error("a child with an HTTP listener reported no address");
  }
  return { url: address.url, port: address.port };
}
