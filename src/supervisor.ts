#!/usr/bin/env bun
/**
 * The program. Every process of a session server starts here: the one a user starts, and each of
 * its children in its role. What they do is in cli/.
 */
import { main } from "./cli/main.ts";

await main(process.argv.slice(2));
