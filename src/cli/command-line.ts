/**
 * Command line and environment to settings as text: what was written, and where.
 *
 * Contract   every word is accounted for: an unknown flag, a stray word, a missing or unacceptable
 *            value is a UsageError of one line that names the flag, the value and what is accepted.
 * Not here   turning text into a configuration (configuration.ts).
 */
import { type ArgsDef, defineCommand, renderUsage } from "citty";
import packageDescription from "../../package.json" with { type: "json" };
import { environmentVariable, type Setting, type SettingName, settings } from "./settings.ts";

/** A mistake in the command line or the environment; ends the program with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What a setting holds and where that stands, for messages: "--port" or "SESSION_SERVER_PORT". */
export interface SettingText {
  readonly text: string;
  readonly source: string;
}

export type SettingTexts = ReadonlyMap<SettingName, SettingText>;

export type CommandLine =
  | { readonly kind: "serve" | "verify"; readonly texts: SettingTexts }
  | { readonly kind: "help" }
  | { readonly kind: "version" };

export const version: string = packageDescription.version;

export function parseCommandLine(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): CommandLine {
  if (words.includes("--help") || words.includes("-h")) return { kind: "help" };
  if (words.includes("--version")) return { kind: "version" };
  const texts = new Map<SettingName, SettingText>();
  for (const setting of settings) {
    const variable = environmentVariable(setting);
    const text = environment[variable];
    if (text !== undefined && text !== "") texts.set(setting.name, { text, source: variable });
  }
  const kind = words[0] === "verify" ? "verify" : "serve";
  const remaining = words.slice(kind === "verify" ? 1 : 0);
  while (remaining.length > 0) readFlag(remaining, texts);
  for (const setting of settings) check(setting, texts.get(setting.name));
  return { kind, texts };
}

/** Help text of the whole program, one line a setting. */
export async function usage(): Promise<string> {
  const args: ArgsDef = {};
  for (const setting of settings) {
    const { description } = setting;
    args[setting.name] =
      setting.kind === "switch"
        ? { type: "boolean", description }
        : {
            type: "string",
            description,
            valueHint: setting.valueHint,
            ...(setting.default === null ? {} : { default: setting.default }),
          };
  }
  args["help"] = { type: "boolean", description: "Show this text" };
  args["version"] = { type: "boolean", description: "Show the version" };
  const command = defineCommand({
    meta: { name: "session-server", version, description: packageDescription.description },
    args,
  });
  const text = await renderUsage(command);
  return (
    `${text.trimEnd()}\n\nEvery flag is an environment variable as well: ` +
    `--backend-url is ${environmentVariable({ name: "backend-url" })}.\n` +
    "`session-server verify` with the same flags serves nothing: it reports whether the family " +
    "keeps\nconversations of the checkpoint append-only, token by token.\n"
  );
}

/** Takes the first flag and its value off `words`. */
function readFlag(words: string[], texts: Map<SettingName, SettingText>): void {
  const word = words.shift() ?? "";
  if (!word.startsWith("--")) {
    throw new UsageError(`"${word}" is not understood; expected flags such as --port 30100`);
  }
  const equals = word.indexOf("=");
  const flag = equals < 0 ? word : word.slice(0, equals);
  const negated = flag.startsWith("--no-") && settingOf(`--${flag.slice(5)}`)?.kind === "switch";
  const setting = negated ? settingOf(`--${flag.slice(5)}`) : settingOf(flag);
  if (!setting) throw new UsageError(`${flag} is unknown; --help lists what is accepted`);
  if (setting.kind === "switch") {
    const text = equals < 0 ? "true" : word.slice(equals + 1);
    if (negated && equals >= 0) throw new UsageError(`${flag} takes no value`);
    texts.set(setting.name, { text: negated ? "false" : text, source: flag });
    return;
  }
  const text = equals < 0 ? words.shift() : word.slice(equals + 1);
  if (text === undefined || (equals < 0 && settingOf(text.split("=")[0] ?? "") !== undefined)) {
    throw new UsageError(`${flag} needs a value; expected ${setting.accepted}`);
  }
  texts.set(setting.name, { text, source: flag });
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
