/**
 * The text of --help: every setting with its meaning, what it accepts and its default.
 *
 * Contract   no line is wider than asked for, except for a word that is. Plain text but for colours
 *            and underlines, which whoever prints it may strip.
 * Why so     citty lays out flags and their texts in two columns, and wraps neither.
 */
import { type ArgDef, type ArgsDef, defineCommand, renderUsage } from "citty";
import packageDescription from "../../package.json" with { type: "json" };
import { exitCodeMeanings } from "./exit-codes.ts";
import { environmentVariable, type Setting, settings } from "./settings.ts";

export const version: string = packageDescription.version;

/** Columns of a terminal within which help is readable. */
const columnsMin = 72;
const columnsMax = 100;
const columnsDefault = 80;

const command = defineCommand({
  meta: { name: "session-server", version, description: packageDescription.description },
  args: {
    ...Object.fromEntries(settings.map((setting) => [setting.name, argument(setting)])),
    help: { type: "boolean", alias: "h", description: "Show this text" },
    version: { type: "boolean", description: "Show the version" },
  } satisfies ArgsDef,
});

const rules = [
  "Serves until SIGTERM or Ctrl-C. `session-server verify` with the same flags serves nothing: " +
    "it reports whether the family keeps conversations of the checkpoint append-only, token by " +
    "token.",
  "A value stands behind its flag or behind an equals sign. A switch takes its value behind an " +
    "equals sign only; --no- in front of it is false. Of equal flags the last one counts.",
  "Every flag is an environment variable as well: --backend-url is " +
    `${environmentVariable({ name: "backend-url" })}. The flag wins; a variable that is empty ` +
    "counts as absent.",
];

/** @param columns of the terminal; undefined when there is none, 0 when it does not know */
export async function usage(columns?: number): Promise<string> {
  const width = Math.min(columnsMax, Math.max(columnsMin, columns || columnsDefault));
  const blocks = [
    (await renderUsage(command)).trimEnd(),
    rules.join("\n\n"),
    ["Exit codes:", ...exitCodeMeanings.map(exitCodeLine)].join("\n"),
  ];
  const lines = blocks.join("\n\n").split("\n");
  return lines.map((line) => wrapped(line.trimEnd(), width)).join("\n");
}

function argument(setting: Setting): ArgDef {
  const standard = setting.default === null ? "" : ` (default: ${setting.default})`;
  const description = `${setting.description}; takes ${setting.accepted}${standard}`;
  if (setting.kind === "switch") return { type: "boolean", description };
  return { type: "string", description, valueHint: setting.valueHint };
}

function exitCodeLine({ code, meaning }: (typeof exitCodeMeanings)[number]): string {
  return `  ${code.padEnd(7)}    ${meaning.replaceAll("`", "")}`;
}

/** The line in lines of at most `width` columns; those of a second column stay in it. */
function wrapped(line: string, width: number): string {
  const [first = ""] = /^ +\S.*? {4,}(?=\S)/.exec(line) ?? [];
  const indent = columnsOf(first);
  const lines: string[] = [];
  let current = first;
  for (const word of line.slice(first.length).split(" ")) {
    const isEmpty = current.length === (lines.length === 0 ? first.length : indent);
    if (!isEmpty && columnsOf(current) + 1 + columnsOf(word) > width) {
      lines.push(current);
      current = " ".repeat(indent) + word;
    } else {
      current += isEmpty ? word : ` ${word}`;
    }
  }
  return [...lines, current].join("\n");
}

function columnsOf(text: string): number {
  return Bun.stripANSI(text).length;
}
