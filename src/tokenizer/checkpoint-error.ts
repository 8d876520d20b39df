/**
 * A checkpoint that cannot be used: a file that is missing or broken, or one that asks for what
 * this server does not do. Found at start, before any client; the message names the path and what
 * was expected there.
 */
import { type SettingFault, UsageError } from "../usage-error.ts";

export interface CheckpointErrorOptions extends ErrorOptions {
  /** The setting to change, when it is not the checkpoint itself. */
  readonly setting?: SettingFault["setting"];
  readonly relation?: SettingFault["relation"];
  readonly expected?: SettingFault["expected"];
}

export class CheckpointError extends UsageError {
  override readonly name = "CheckpointError";

  constructor(problem: string, options: CheckpointErrorOptions = {}) {
    const { setting = "hfCheckpoint", relation = null, expected = null, ...rest } = options;
    super(problem, { ...rest, fault: { setting, relation, problem, expected } });
  }
}
