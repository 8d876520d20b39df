/**
 * Every failure that the source can tell a client, with its status and text. Read from the source
 * itself, so that none can be added in silence.
 *
 * Contract   a text stands as written; what is put in at run time is "…". A site that only hands
 *            another failure's text on has no text of its own and is left out.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface ErrorSite {
  readonly status: number;
  readonly text: string;
}

const source = join(import.meta.dir, "..", "..", "src");
const errorsFile = join(source, "errors.ts");
const placeholder = "…";

function sourceFiles(): string[] {
  return readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes("/mock-engine/"));
}

/** Name, status and, where the class makes it itself, text of each failure. */
function errorClasses(): Map<string, { status: number; text: string | null }> {
  const text = readFileSync(errorsFile, "utf8");
  const classes = new Map<string, { status: number; text: string | null }>();
  for (const [, name, body] of text.matchAll(
    /class (\w+) extends SessionError \{([\s\S]*?)\n\}/g,
  )) {
    const [, status] = /readonly status = (\d+);/.exec(body ?? "") ?? [];
    const own = (body ?? "").indexOf("super(`");
    classes.set(name ?? "", {
      status: Number(status),
      text: own < 0 ? null : firstArgument(body ?? "", own + "super(".length),
    });
  }
  return classes;
}

export function errorSites(): ErrorSite[] {
  const classes = errorClasses();
  const sites = new Map<string, ErrorSite>();
  const add = (status: number, text: string): void => {
    if (text.replaceAll(placeholder, "") !== "") sites.set(`${status} ${text}`, { status, text });
  };
  for (const path of sourceFiles()) {
    const text = readFileSync(path, "utf8");
    for (const found of text.matchAll(/\bnew (\w+Error)\(/g)) {
      const made = path === errorsFile ? undefined : classes.get(found[1] ?? "");
      if (made === undefined) continue;
      add(made.status, made.text ?? firstArgument(text, found.index + found[0].length));
    }
    for (const found of text.matchAll(/\berrorReply(?:To)?\(\s*(?:[\w.]+,\s*)?(\d+),/g)) {
      add(Number(found[1]), firstArgument(text, found.index + found[0].length));
    }
  }
  return [...sites.values()].sort(
    (one, other) => one.status - other.status || (one.text < other.text ? -1 : 1),
  );
}

/** The text that an expression of literals, templates and other things amounts to. */
function firstArgument(text: string, start: number): string {
  let result = "";
  let index = start;
  const putIn = (): void => {
    if (!result.endsWith(placeholder)) result += placeholder;
  };
  while (index < text.length) {
    const character = text[index] ?? "";
    if (character === "," || character === ")") break;
    if (/[\s+]/.test(character)) index++;
    else if (character === '"' || character === "'") {
      const end = closingQuote(text, index);
      result += text.slice(index + 1, end).replace(/\\(.)/g, "$1");
      index = end + 1;
    } else if (character === "`") {
      const end = closingQuote(text, index);
      result += text.slice(index + 1, end).replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, placeholder);
      index = end + 1;
    } else {
      putIn();
      index = expressionEnd(text, index);
    }
  }
  return result;
}

function closingQuote(text: string, start: number): number {
  const quote = text[start];
  let index = start + 1;
  while (text[index] !== quote) index += text[index] === "\\" ? 2 : 1;
  return index;
}

/** Where something that is no literal ends: at a comma, a plus or a bracket outside of brackets. */
function expressionEnd(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const character = text[index] ?? "";
    if (depth === 0 && /[,+)]/.test(character)) return index;
    if ("([{".includes(character)) depth++;
    if (")]}".includes(character)) depth--;
  }
  return text.length;
}
