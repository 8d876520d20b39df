/**
 * Library entry: start, watch and stop a session server from another program.
 *
 * Contract   `start()` resolves when requests are answered; `check()` throws once a process of the
 *            server has died; `shutdown()` resolves when none is left. A mistake in the settings is
 *            a UsageError, of `serverConfig()`, the constructor or `start()`.
 */
export {
  messageMatchers,
  mockBackend,
  type ServerConfig,
  serverConfig,
  titoFamilies,
} from "./config.ts";
export {
  type ServerAddress,
  SessionServerSupervisor,
  type SupervisorOptions,
} from "./lifecycle/session-server-supervisor.ts";
export { UsageError } from "./usage-error.ts";
