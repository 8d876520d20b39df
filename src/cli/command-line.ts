/**
 * Command line and environment to settings as text: what was written, and where.
 *
 * Contract   every word is accounted for: an unknown flag, a stray word, a missing or unacceptable
 *            value is a UsageError of one line that names the flag, the value and what is accepted.
 * Not here   turning text into a configuration (configuration.ts).
 */
import { nearestName, onlyNameWith } from "../nearest-name.ts";
import { UsageError } from "../usage-error.ts";
import { type Environment, type Remark, readEnvironment } from "./environment.ts";
import {
  type Setting,
  type SettingName,
  type SettingText,
  type SettingTexts,
  settings,
} from "./settings.ts";

export type CommandLine =
  | {
      readonly kind: "serve" | "verify";
      readonly texts: SettingTexts;
      readonly remarks: readonly Remark[];
    }
  | { readonly kind: "help" }
  | { readonly kind: "version" };

export function parseCommandLine(words: readonly string[], environment: Environment): CommandLine {
  if (words.includes("--help") || words.includes("-h")) return { kind: "help" };
  if (words.includes("--version")) return { kind: "version" };
  const { texts, remarks } = readEnvironment(environment);
  const kind = words[0] === "verify" ? "verify" : "serve";
  const remaining = words.slice(kind === "verify" ? 1 : 0);
  let flag: string | null = null;
  while (remaining.length > 0) flag = readFlag(remaining, texts, flag);
  for (const setting of settings) check(setting, texts.get(setting.name));
  return { kind, texts, remarks };
}

/**
 * Takes the first flag and its value off `words`.
 *
 * @param before the flag in front of it, null when there is none
 * @returns the flag
 */
function readFlag(
  words: string[],
  texts: Map<SettingName, SettingText>,
  before: string | null,
): string {
  const word = words.shift() ?? "";
  if (!word.startsWith("--")) throw new UsageError(strayWord(word, before));
  const equals = word.indexOf("=");
  const flag = equals < 0 ? word : word.slice(0, equals);
  const negated = flag.startsWith("--no-") && settingOf(`--${flag.slice(5)}`)?.kind === "switch";
  const setting = negated ? settingOf(`--${flag.slice(5)}`) : settingOf(flag);
  if (!setting) throw new UsageError(unknownFlag(flag));
  if (setting.kind === "switch") {
    const text = equals < 0 ? "true" : word.slice(equals + 1);
    if (negated && equals >= 0) throw new UsageError(`${flag} takes no value`);
    texts.set(setting.name, { text: negated ? "false" : text, source: flag });
    return flag;
  }
  const text = equals < 0 ? words.shift() : word.slice(equals + 1);
  if (text === undefined || (equals < 0 && settingOf(text.split("=")[0] ?? "") !== undefined)) {
    throw new UsageError(`${flag} needs a value; expected ${setting.accepted}`);
  }
  texts.set(setting.name, { text, source: flag });
  return flag;
}

function strayWord(word: string, before: string | null): string {
  const setting = before === null ? undefined : settingOf(before);
  if (setting?.kind === "switch" && setting.accepts(word)) {
    return `"${word}" is not understood; expected ${before}=${word}`;
  }
  return `"${word}" is not understood; expected flags such as --port 30100, which --help lists`;
}

function unknownFlag(flag: string): string {
  const names = ["help", "version", ...settings.map(({ name }) => name)];
  const name = flag.slice("--".length);
  if (["help", "version"].includes(name)) return `${flag} takes no value`;
  const meant = nearestName(name, names) ?? onlyNameWith(name, names);
  const hint = meant === null ? "" : `did you mean --${meant}? `;
  return `${flag} is unknown; ${hint}--help lists what is accepted`;
}

function settingOf(flag: string): (typeof settings)[number] | undefined {
  return settings.find((setting) => `--${setting.name}` === flag);
}

function check(setting: Setting, value: SettingText | undefined): void {
  if (value === undefined || setting.accepts(value.text)) return;
  throw new UsageError(`${quoted(setting, value)}; expected ${setting.accepted}`);
}

/** Source and value for a message; of a secret only the source. */
export function quoted(setting: Pick<Setting, "secret">, value: SettingText): string {
  return setting.secret === true
    ? `${value.source} is not acceptable`
    : `${value.source} "${value.text}"`;
}
