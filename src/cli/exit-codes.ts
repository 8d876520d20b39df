/**
 * The exit codes of the program and their meaning. --help and README.md's table come from here; no
 * other document repeats them.
 */
export const exitCodes = {
  ok: 0,
  cannotStart: 1,
  usage: 2,
  failed: 70,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export interface ExitCodeMeaning {
  readonly code: string;
  readonly meaning: string;
}

export const exitCodeMeanings: readonly ExitCodeMeaning[] = [
  {
    code: String(exitCodes.ok),
    meaning:
      "stopped by SIGTERM, SIGINT or SIGHUP (under `nohup` a hangup is ignored); " +
      "or `--help`, `--version`; or `verify` found nothing wrong",
  },
  {
    code: String(exitCodes.cannotStart),
    meaning: "could not start: the log says why; or `verify` found something: its report says what",
  },
  {
    code: String(exitCodes.usage),
    meaning: "wrong flag or variable: one line on stderr names it",
  },
  {
    code: String(exitCodes.failed),
    meaning: "a process of the server died while it served, or a bug ended it: the log names it",
  },
  {
    code: "128 + N",
    meaning: "signal N ended the program before it could act on it: 137 is SIGKILL",
  },
];
