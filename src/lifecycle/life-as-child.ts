// spec: ARCHITECTURE.md, "Process life"
/**
 * How a role lives inside a process that a supervisor started.
 *
 * Contract   reports `ready` when the role has started, `failed` before it ends on its own and
 *            `stopped` before it ends as asked. SIGTERM and the end of stdin stop it; Ctrl-C and a
 *            closed terminal reach the whole process group and are the supervisor's business. An
 *            expected fault is left to the supervisor to tell, a bug is logged here with its stack.
 * Reports    exit code 0 after a stop, 1 after a failure.
 * Limits     stopDrainMs. A busy process sees neither signal nor end of stdin: for the death of its
 *            parent BUN_FEATURE_FLAG_NO_ORPHANS is the net below (child-specification.ts).
 */
import { errorText } from "../errors.ts";
import { stopDrainMs } from "../limits.ts";
import { log } from "../log.ts";
import { UsageError } from "../usage-error.ts";
import type { ChildMessage, ChildParameters, RunningRole } from "./child-contract.ts";
import { faultText, isBug } from "./expected-fault.ts";

/** Runs a role until it is stopped; the process ends with it. */
export async function liveAsChild(
  parameters: ChildParameters,
  start: () => Promise<RunningRole>,
): Promise<void> {
  // The parent died before the kernel was told to tie our life to its.
  if (process.ppid !== parameters.parentPid) process.exit(1);
  process.on("SIGINT", () => {});
  process.on("SIGHUP", () => {});
  process.on("uncaughtException", failByBug);
  process.on("unhandledRejection", failByBug);
  const stopAsked = Promise.withResolvers<"stop">();
  process.on("SIGTERM", () => stopAsked.resolve("stop"));
  void endOfStdin().then(() => stopAsked.resolve("stop"));

  try {
    const started = await Promise.race([start(), stopAsked.promise]);
    if (started === "stop") process.exit(0);
    report({ type: "ready", url: started.url, port: started.port });
    void started.failed?.then(fail);
    await stopAsked.promise;
    await started.stop(stopDrainMs);
    report({ type: "stopped" });
    process.exit(0);
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): never {
  if (isBug(error)) return failByBug(error);
  // The supervisor tells it, in one line with the name of this child.
  log.debug(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const fault = error instanceof UsageError ? error.fault : null;
  report({ type: "failed", message: faultText(error), isBug: false, fault });
  process.exit(1);
}

/** Nobody expected it, whatever was thrown: only the stack says where to look. */
function failByBug(error: unknown): never {
  log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  report({ type: "failed", message: errorText(error), isBug: true, fault: null });
  process.exit(1);
}

function report(message: ChildMessage): void {
  try {
    process.send?.(message);
  } catch (error) {
    // The parent is gone, and so is whoever could have read it.
    log.debug(`nobody to report to: ${errorText(error)}`);
  }
}

async function endOfStdin(): Promise<void> {
  for await (const _ of Bun.stdin.stream()) {
    // Nothing is ever sent: only the end matters.
  }
}
