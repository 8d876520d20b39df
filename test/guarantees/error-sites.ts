/**
 * Every failure that the source can tell a client or an operator, with its text. Read from the
 * source itself, so that none can be added in silence.
 *
 * Contract   a text stands as written; what is put in at run time is "…". A site that only hands
 *            another failure's text on has no text of its own and is left out.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

export interface ErrorSite {
  /** Status of a reply, or "code 1" and the like for what ends the program at its start. */
  readonly status: string;
  readonly text: string;
}

const sourceDirectory = join(import.meta.dir, "..", "..", "src");
const errorsFile = join(sourceDirectory, "errors.ts");
const placeholder = "…";

function sourceFiles(): string[] {
  return readdirSync(sourceDirectory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes("/mock-engine/"));
}

/** What makes a failure: the call, where its text stands in it, and what the reader makes of it. */
interface Maker {
  /** Ends behind the opening bracket of the arguments. */
  readonly call: RegExp;
  /** Below `src`; everywhere when absent. */
  readonly files?: RegExp;
  readonly status: string;
  /** Index of the argument that is the text; 0 when absent. */
  readonly argument?: number;
  /** The text as its reader gets it. */
  readonly reads?: (text: string, source: string, start: number) => string;
}

const otherMakers: readonly Maker[] = [
  {
    call: /\bnew RenderError\(/g,
    status: "400",
    argument: 1,
    reads: (text, source, start) =>
      /^\s*null\b/.test(source.slice(start)) ? text : `messages[${placeholder}]${text}`,
  },
  {
    call: /\bnew MalformedResponseError\(/g,
    status: "502",
    reads: (text) =>
      `backend transport error: EPROTO: malformed response: expected ${text}, got ${placeholder}`,
  },
  {
    call: /\bthis\.#fail\(/g,
    files: /chunked-body/,
    status: "502",
    reads: (text) =>
      `backend transport error: EPROTO: malformed response: expected ${text}, got ${placeholder}`,
  },
  {
    call: /\bboundExceeded\(/g,
    files: /^chat-template\//,
    status: "400",
    reads: (text) => failedRender(`TemplateRuntimeError: ${text} exceeds the bound of this engine`),
  },
  {
    call: /\bruntimeError\(/g,
    files: /^chat-template\//,
    status: "400",
    reads: (text) => failedRender(`TemplateRuntimeError: ${text}`),
  },
  {
    call: /\bnew TruncatedResponseError\(/g,
    status: "502",
    reads: (text) =>
      `backend transport error: ECONNRESET: the backend closed the connection ${text}`,
  },
  // What Python and Jinja say themselves stands under the class that they say it with.
  {
    call: /(?<!name = )(?="[A-Z]\w*Error")(?!"Template(?:Syntax|Assertion|Runtime|Type)Error")/g,
    files: /^chat-template\//,
    status: "400",
    reads: (_, source, start) => failedRender(`${literalAt(source, start)}: ${placeholder}`),
  },
  {
    call: /(?="Template(?:Syntax|Assertion)Error")/g,
    files: /^chat-template\//,
    status: "code 2",
    reads: (_, source, start) =>
      `…: the chat template "…" does not compile: ${literalAt(source, start)}: …`,
  },
  { call: /\bnew (?:Usage|Checkpoint)Error\(/g, status: "code 2" },
  // What is wrong with a setting, and what is accepted: the sentence is made where it is told.
  { call: /\bproblem(?:: | = )(?=["`])/g, status: "code 2", reads: (text) => `…: ${text}` },
  {
    call: /\bfault\((?=["`])/g,
    files: /lifecycle/,
    status: "code 2",
    reads: (text) => `…: ${text}`,
  },
  // Sentences that a function makes for the error beside it.
  { call: /\breturn \(?\s*(?=["`].* is )/g, files: /^cli\/command-line/, status: "code 2" },
  { call: /\breturn \(?\s*(?=`.* is )/g, files: /listen-address/, status: "code 1" },
  { call: /\bnew HubError\(/g, status: "code 1" },
  { call: /\bnew Error\(\s*(?=["`])/g, files: /^lifecycle\//, status: "code 1" },
];

function failedRender(text: string): string {
  return `Chat template rendering failed…: ${text} (template …, line …)`;
}

function literalAt(source: string, start: number): string {
  return source.slice(start + 1, closingQuote(source, start));
}

/** Failures with a status of their own, by class; a class may make the text itself. */
function sessionErrors(): Maker[] {
  const text = readFileSync(errorsFile, "utf8");
  return [...text.matchAll(/class (\w+) extends SessionError \{([\s\S]*?)\n\}/g)].map(
    ([, name = "", body = ""]) => {
      const [, status = ""] = /readonly status = (\d+);/.exec(body) ?? [];
      const own = body.indexOf("super(`");
      const call = new RegExp(`\\bnew ${name}\\(`, "g");
      if (own < 0) return { call, status };
      return { call, status, reads: () => argumentText(body, own + "super(".length, 0) };
    },
  );
}

export function errorSites(): ErrorSite[] {
  const makers = [...sessionErrors(), ...otherMakers];
  const sites = new Map<string, ErrorSite>();
  const add = (status: string, text: string): void => {
    if (text.replaceAll(placeholder, "").replaceAll(/\W/g, "") === "") return;
    sites.set(`${status} ${text}`, { status, text });
  };
  for (const path of sourceFiles()) {
    const source = readFileSync(path, "utf8");
    for (const { call, files, status, argument = 0, reads = same } of makers) {
      if (path === errorsFile || !(files ?? /^/).test(relative(sourceDirectory, path))) continue;
      for (const found of source.matchAll(call)) {
        const start = found.index + found[0].length;
        const text = argumentText(source, start, argument);
        const isOwn = text !== placeholder || reads.length === 0;
        if (isOwn) add(status, reads(text, source, start).replaceAll(/…+/g, placeholder));
      }
    }
    for (const found of source.matchAll(/\berrorReply(?:To)?\(\s*(?:[\w.]+,\s*)?(\d+),/g)) {
      add(found[1] ?? "", argumentText(source, found.index + found[0].length, 0));
    }
  }
  return [...sites.values()].sort((one, other) =>
    line(one) < line(other) ? -1 : line(one) > line(other) ? 1 : 0,
  );
}

/** Names of the classes that some source file makes errors of. */
export function errorClasses(): string[] {
  const made = sourceFiles().flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/\bnew (\w+Error)\(/g)].map(([, name = ""]) => name),
  );
  return [...new Set(made)].sort();
}

/** Whether errorSites() has the texts of a class. */
export function isListed(name: string): boolean {
  const made = `new ${name}(`;
  return [...sessionErrors(), ...otherMakers].some(
    ({ call }) => made.match(call) !== null || `${made}"`.match(call) !== null,
  );
}

export function line({ status, text }: ErrorSite): string {
  return `${status} ${text}`;
}

const same = (text: string): string => text;

/** The text that argument `index` amounts to: an expression of literals, templates and the like. */
function argumentText(source: string, start: number, index: number): string {
  let at = start;
  for (let skipped = 0; skipped < index; skipped++) at = expressionEnd(source, at, /[,)]/) + 1;
  return firstArgument(source, at);
}

function firstArgument(text: string, start: number): string {
  let result = "";
  let index = start;
  const putIn = (): void => {
    if (!result.endsWith(placeholder)) result += placeholder;
  };
  while (index < text.length) {
    const character = text[index] ?? "";
    if (/[,);}]/.test(character)) break;
    if (/[\s+]/.test(character)) index++;
    else if (character === '"' || character === "'") {
      const end = closingQuote(text, index);
      result += text.slice(index + 1, end).replace(/\\(.)/g, "$1");
      index = end + 1;
    } else if (character === "`") {
      const template = templateText(text, index);
      result += template.text;
      index = template.end;
    } else {
      putIn();
      index = expressionEnd(text, index);
    }
  }
  return result;
}

/** What a template literal says, and the index behind it. */
function templateText(source: string, start: number): { text: string; end: number } {
  let text = "";
  let index = start + 1;
  while (source[index] !== "`") {
    if (source.startsWith("${", index)) {
      text += placeholder;
      index = expressionEnd(source, index + 2, /\}/) + 1;
    } else {
      if (source[index] === "\\") index += 1;
      text += source[index];
      index += 1;
    }
  }
  return { text, end: index + 1 };
}

function closingQuote(text: string, start: number): number {
  const quote = text[start];
  let index = start + 1;
  while (text[index] !== quote) index += text[index] === "\\" ? 2 : 1;
  return index;
}

/** Where something that is no literal ends: at such a character outside of brackets. */
function expressionEnd(text: string, start: number, ends = /[,+)]/): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const character = text[index] ?? "";
    if (depth === 0 && ends.test(character)) return index;
    if ("([{".includes(character)) depth++;
    if (")]}".includes(character)) depth--;
  }
  return text.length;
}
