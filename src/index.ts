/**
 * Library entry: start, watch and stop a session server from another program.
 */
export type { ServerConfig } from "./config.ts";
