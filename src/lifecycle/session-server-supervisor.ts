// spec: ARCHITECTURE.md, "Process life"
/**
 * A session server as one thing to start, watch and stop.
 *
 * Contract   one worker is one process; more are workers and a router, in this order. A server with
 *            the mock backend gets a mock engine first. `start` resolves when requests are
 *            answered. Nothing outlives the server, nor this process, however it ends.
 * Reports    `start` rejects with one line: a UsageError for a setting that does not do, also when
 *            only a child could find out, else an Error that names the child or the port. `failed`
 *            resolves to such a line when a child dies later, and `check` throws it from then on.
 *            Warnings go to the log of this process, which takes the configuration's level.
 * Limits     of ChildGroup. Not restartable: make a new one.
 * Not here   signals and exit codes of the program (cli/). Never on a data path.
 */
import { mockBackend, type ServerConfig, serverConfig } from "../config.ts";
import { configureLog, log } from "../log.ts";
import { inNames, memberNames, type SettingNames } from "../usage-error.ts";
import type { ChildAddress, ChildParameters, WorkerParameters } from "./child-contract.ts";
import { ChildGroup, type ChildGroupLimits } from "./child-group.ts";
import {
  mockEngineParameters,
  ownProgram,
  specifyChild,
  withoutSecrets,
} from "./child-specification.ts";
import { requireListenAddress } from "./listen-address.ts";
import { requireSettingFiles } from "./setting-files.ts";
import { SocketDirectory } from "./socket-directory.ts";
import { startWarnings } from "./start-warnings.ts";

export interface ServerAddress {
  readonly url: string;
  readonly port: number;
}

export interface SupervisorOptions {
  /** The command that runs a role when the role is appended; by default this package's own. */
  readonly program?: readonly string[];
  readonly limits?: Partial<ChildGroupLimits>;
  /** What messages call the settings; by default the members of the configuration. */
  readonly names?: SettingNames;
}

export class SessionServerSupervisor {
  readonly #config: ServerConfig;
  readonly #names: SettingNames;
  readonly #program: readonly string[];
  readonly #group: ChildGroup;
  #sockets: SocketDirectory | null = null;
  #address: ServerAddress | null = null;
  #started = false;

  /** @throws UsageError when serverConfig() does not take the configuration */
  constructor(config: ServerConfig, options: SupervisorOptions = {}) {
    this.#config = serverConfig(config, options.names);
    this.#names = options.names ?? memberNames(this.#config);
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
      await this.#checkSurroundings();
      const config = await this.#withBackend();
      const front = config.workers === 1 ? this.#single(config) : await this.#sharded(config);
      const [address] = await this.#startAll([front]);
      this.#address = serverAddress(address);
      return this.#address;
    } catch (error) {
      await this.shutdown();
      throw inNames(error, this.#names);
    }
  }

  /** Throws unless the server is up: not started yet, failed (the cause), or stopped. */
  check(): void {
    try {
      this.#group.check();
    } catch (error) {
      throw inNames(error, this.#names);
    }
    if (this.#address === null) throw new Error("the session server is not ready");
  }

  /** Stops the server, also while it starts. Idempotent; resolves when no process is left. */
  async shutdown(): Promise<void> {
    await this.#group.shutdown();
    this.#sockets?.remove();
  }

  /** What can be known before any process starts. */
  async #checkSurroundings(): Promise<void> {
    const { logLevel, logFormat } = this.#config;
    configureLog("session-server", logLevel, logFormat);
    for (const warning of startWarnings(this.#config, this.#names)) log.warn(warning);
    requireSettingFiles(this.#config, this.#names);
    await requireListenAddress(this.#config, this.#names);
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
