/**
 * Mistakes in the settings, told in the words of whoever made them: a flag, a variable or a member
 * given to serverConfig().
 *
 * Contract   who finds a mistake says what is wrong with which setting, as data (SettingFault); who
 *            knows how the settings were given makes the sentence of it (faultSentence). A fault
 *            crosses processes, an Error does not.
 * Why so     a worker finds that a checkpoint lacks a token; only its supervisor knows whether the
 *            checkpoint was called --hf-checkpoint, SESSION_SERVER_HF_CHECKPOINT or hfCheckpoint.
 */
import { inspect } from "node:util";
import type { ServerConfig } from "./config.ts";

export type SettingMember = keyof ServerConfig;

export interface SettingFault {
  readonly setting: SettingMember;
  /** What another setting has to do with it; null when none has. */
  readonly relation: {
    readonly kind: "needs" | "conflicts with";
    readonly other: SettingMember;
  } | null;
  /** What is wrong; null when `expected` says it all. */
  readonly problem: string | null;
  /** What is accepted, after "expected"; null when `problem` says it. */
  readonly expected: string | null;
}

/** How the settings of a server were given, for messages. */
export interface SettingNames {
  /** "--port", "SESSION_SERVER_PORT" or "port". */
  name(member: SettingMember): string;
  /** Name and value: `--port "http"`; of a secret only the name. */
  given(member: SettingMember): string;
}

export interface UsageErrorOptions extends ErrorOptions {
  /** What the message stands for, when it is about one setting. */
  readonly fault?: Partial<SettingFault> & Pick<SettingFault, "setting">;
}

/** A mistake in the settings of a server: the message is one line. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
  /** Null when the message is a whole sentence already. */
  readonly fault: SettingFault | null;

  constructor(message: string, { fault, ...options }: UsageErrorOptions = {}) {
    super(message, options);
    this.fault =
      fault === undefined ? null : { relation: null, problem: null, expected: null, ...fault };
  }
}

/** Names as a library caller gives them: the members of a configuration. */
export function memberNames(config: Partial<ServerConfig>): SettingNames {
  return {
    name: (member) => member,
    given: (member) => (member === "authToken" ? member : `${member} ${valueText(config[member])}`),
  };
}

/** `--hf-checkpoint "DIR" conflicts with --tito-model "qwen3": no token "x"; expected ...` */
export function faultSentence(fault: SettingFault, names: SettingNames): string {
  const { setting, relation, problem, expected } = fault;
  let sentence = names.given(setting);
  if (relation !== null) {
    // What is needed is not there: it has no value.
    const { kind, other } = relation;
    sentence += ` ${kind} ${kind === "needs" ? names.name(other) : names.given(other)}`;
  }
  if (problem !== null) sentence += `: ${problem}`;
  return expected === null ? sentence : `${sentence}; expected ${expected}`;
}

/** The error with its sentence in these names, when it is a mistake in a setting; else as it is. */
export function inNames(error: unknown, names: SettingNames): unknown {
  if (!(error instanceof UsageError) || error.fault === null) return error;
  const { fault } = error;
  return new UsageError(faultSentence(fault, names), { fault, cause: error });
}

/** A value as it stands in a program. */
export function valueText(value: unknown): string {
  return typeof value === "string"
    ? `"${value}"`
    : inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY });
}
