/**
 * Rules about the source that run: layers, size, names, and documents that must agree with it.
 */
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { exitCodeMeanings } from "../src/cli/exit-codes.ts";
import { settings } from "../src/cli/settings.ts";

const repository = join(import.meta.dir, "..");
const source = join(repository, "src");

const fileLinesMax = 300;
const lineCharactersMax = 100;

/** Names that mean "the rest", and what to do instead. */
const bannedNames = /^(utils?|helpers?|common|misc|shared|globals|lib|types)$/;

/**
 * Source files whose tests have another path, because only the whole that they belong to can be
 * tested. This list may only shrink.
 */
const testedElsewhere: ReadonlyMap<string, string> = new Map([
  ["cli/main.ts", "supervisor.test.ts"],
  ["cli/roles.ts", "supervisor.test.ts"],
  ["cli/serve.ts", "supervisor.test.ts"],
  ["core/chat-turn.ts", "core/core.test.ts"],
  ["single/main.ts", "conformance/conformance.test.ts"],
]);

interface Import {
  readonly from: string;
  readonly to: string;
  readonly dynamic: boolean;
  readonly typeOnly: boolean;
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

const sourceFiles = filesBelow(source).filter((path) => path.endsWith(".ts"));
const name = (path: string): string => relative(source, path);

/** The folder of a file as the layer table names it; the file's own name at the root. */
function layerOf(path: string): string {
  const [first = ""] = name(path).split("/");
  return first;
}

/** What is too long of a file, which is called by its path from `root`. */
function sizeViolations(path: string, root: string): string[] {
  const file = relative(root, path);
  const lines = readFileSync(path, "utf8").split("\n");
  const tooWide = [...lines.entries()].filter(
    // Neither an address nor the import of a single name can be broken.
    ([, line]) => line.length > lineCharactersMax && !/:\/\/|^import \{ \w+ \} from/.test(line),
  );
  return [
    ...(lines.length > fileLinesMax + 1 ? [`${file}: ${lines.length} lines`] : []),
    ...tooWide.map(([index, line]) => `${file}:${index + 1}: ${line.length} characters`),
  ];
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

function importsOf(path: string): Import[] {
  const text = withoutComments(readFileSync(path, "utf8"));
  const found: Import[] = [];
  const statements = /(import|export)\s+(type\s+)?(?:[\w*\s{},]+?\s+from\s+)?"([^"]+)"/g;
  for (const [, , typeOnly, to] of text.matchAll(statements)) {
    if (to) found.push({ from: path, to, dynamic: false, typeOnly: typeOnly !== undefined });
  }
  for (const [, to] of text.matchAll(/import\(\s*"([^"]+)"\s*\)/g)) {
    if (to) found.push({ from: path, to, dynamic: true, typeOnly: false });
  }
  return found;
}

const allImports = sourceFiles.flatMap(importsOf);

function target(entry: Import): string | null {
  return entry.to.startsWith(".") ? resolve(dirname(entry.from), entry.to) : null;
}

function layerTable(): Map<string, Set<string>> {
  const document = readFileSync(join(repository, "ARCHITECTURE.md"), "utf8");
  const table = new Map<string, Set<string>>();
  const [, section = ""] = document.split("| folder | may import |");
  for (const line of section.split("\n").slice(2)) {
    const match = /^\| `([\w.-]+)` \|(.*)\|$/.exec(line);
    if (!match?.[1]) break;
    const allowed = (match[2] ?? "").split(",").map((word) => word.trim());
    table.set(match[1], new Set(allowed.filter((word) => word !== "")));
  }
  return table;
}

/** Everything that runs when `entry` is loaded and used: static and dynamic imports. */
function closureOf(
  entry: string,
  options: { dynamic: boolean },
): { files: string[]; packages: Set<string> } {
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const path of files) {
    if (!path.endsWith(".ts")) continue;
    for (const found of importsOf(path)) {
      if (found.typeOnly || (found.dynamic && !options.dynamic)) continue;
      const to = target(found);
      if (to === null) packages.add(found.to);
      else files.add(to);
    }
  }
  return { files: [...files].map(name), packages };
}

describe("layers", () => {
  const table = layerTable();

  test("the table of ARCHITECTURE.md names every folder of src, and no other", () => {
    const roots = ["supervisor.ts", "index.ts"];
    const folders = readdirSync(source, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
    expect([...table.keys()].sort()).toEqual([...roots, ...folders].sort());
  });

  test("every import obeys the table, type imports included", () => {
    const violations: string[] = [];
    for (const found of allImports) {
      const to = target(found);
      if (to === null || !to.startsWith(source)) continue;
      const from = layerOf(found.from);
      const into = layerOf(to);
      const isRootFile = into.endsWith(".ts");
      if (from === into && !isRootFile) continue;
      const dynamicRole = found.dynamic && name(found.from) === "cli/roles.ts";
      const allowed = isRootFile
        ? !table.has(into)
        : (table.get(from)?.has(into) ?? false) || dynamicRole;
      if (!allowed) violations.push(`${name(found.from)} must not import ${name(to)}`);
    }
    expect(violations).toEqual([]);
  });

  test("the supervisor loads no role until it is asked to be one", () => {
    const { files, packages } = closureOf(join(source, "supervisor.ts"), { dynamic: false });
    const roles = ["router", "worker", "single", "mock-engine", "core", "tokenizer", "http"];
    expect(files.filter((file) => roles.includes(file.split("/")[0] ?? ""))).toEqual([]);
    expect(packages).not.toContain("tokenizers");
  });

  test("nothing that the router loads reaches core, templates or tokenizer", () => {
    const { files, packages } = closureOf(join(source, "router", "main.ts"), { dynamic: true });
    const heavy = ["core", "trajectory", "tito", "chat-template", "tokenizer", "records"];
    expect(files.filter((file) => heavy.includes(file.split("/")[0] ?? ""))).toEqual([]);
    expect(packages).not.toContain("tokenizers");
  });
});

describe("files", () => {
  test("no dead files: each is reached from the program or the library", () => {
    const reached = new Set(
      ["supervisor.ts", "index.ts"].flatMap((entry) => {
        const files = new Set([join(source, entry)]);
        for (const path of files) {
          if (!path.endsWith(".ts")) continue;
          for (const found of importsOf(path)) {
            const to = target(found);
            if (to !== null) files.add(to);
          }
        }
        return [...files].map(name);
      }),
    );
    const dead = sourceFiles.map(name).filter((file) => !reached.has(file));
    expect(dead.filter((file) => !file.endsWith(".d.ts"))).toEqual([]);
  });

  test("every file opens with its contract, keeps its size, and has a name that speaks", () => {
    const violations: string[] = [];
    for (const file of sourceFiles.map(name)) {
      const text = readFileSync(join(source, file), "utf8");
      if (!/^(#!.*\n)?(\/\/ .*\n)*\/\*\*/.test(text)) violations.push(`${file}: no contract`);
      violations.push(...sizeViolations(join(source, file), source));
      for (const part of file.replace(/\.ts$/, "").split("/")) {
        if (bannedNames.test(part)) violations.push(`${file}: "${part}" says nothing`);
      }
    }
    expect(violations).toEqual([]);
  });

  test("files of bench and scripts keep their size as well", () => {
    const paths = ["bench", "scripts", "test/bench"]
      .flatMap((folder) => filesBelow(join(repository, folder)))
      .filter((path) => /\.(ts|py)$/.test(path));
    expect(paths.flatMap((path) => sizeViolations(path, repository))).toEqual([]);
  });

  test("every source file with code has a test of the same path", () => {
    const transpiler = new Bun.Transpiler({ loader: "ts" });
    const isThere = (test: string) => existsSync(join(repository, "test", test));
    const missing = sourceFiles
      .filter((path) => transpiler.transformSync(readFileSync(path, "utf8")).trim() !== "")
      .map(name)
      .filter((file) => {
        const path = file.replace(/\.ts$/, "");
        return !isThere(`${path}.test.ts`) && !isThere(`${path}.fuzz.test.ts`);
      });
    expect(missing.filter((file) => !isThere(testedElsewhere.get(file) ?? "nowhere"))).toEqual([]);
    expect([...testedElsewhere.keys()].filter((file) => !missing.includes(file))).toEqual([]);
  });

  test("Bun's and Node's process APIs leave no console output behind", () => {
    const offenders = sourceFiles.filter((path) => /\bconsole\./.test(readFileSync(path, "utf8")));
    expect(offenders.map(name)).toEqual([]);
  });
});

/**
 * What no test can tell by looking at the server from outside: how long a comparison takes, and what
 * happens in hours.
 */
describe("source", () => {
  const textOf = (file: string) => withoutComments(readFileSync(join(source, file), "utf8"));

  test("tokens and signatures are compared in constant time", () => {
    const secrets = ["http/access.ts", "http/records-ticket.ts"];
    const there = secrets.filter((file) => existsSync(join(source, file)));
    expect(there).toContain("http/access.ts");
    for (const file of there) {
      const text = textOf(file);
      expect([file, text]).toEqual([file, expect.stringMatching(/\btimingSafeEqual\(/)]);
      expect([file, /\.(equals|compare)\(/.test(text)]).toEqual([file, false]);
    }
  });

  test("no HTTP server of ours ends a request that takes its time", () => {
    const servers = sourceFiles.map(name).filter((file) => textOf(file).includes("Bun.serve("));
    expect(servers).toContain("http/listener.ts");
    for (const file of servers)
      expect([file, textOf(file)]).toEqual([file, expect.stringMatching(/\bidleTimeout: 0,/)]);
  });
});

describe("documents", () => {
  test("README.md lists every setting with its default and what is accepted", () => {
    const document = readFileSync(join(repository, "README.md"), "utf8");
    const rows = settings.map((setting) => {
      const value = setting.valueHint === "" ? "" : ` ${setting.valueHint}`;
      const standard = setting.default === null ? "" : `\`${setting.default}\``;
      return `| \`--${setting.name}${value}\` | ${standard} | ${setting.description}: ${setting.accepted} |`;
    });
    const table = ["| flag | default | meaning |", "|---|---|---|", ...rows].join("\n");
    expect(document).toContain(table);
  });

  test("README.md gives the exit codes of the program, and no other document repeats them", () => {
    const head = "| exit code | meaning |";
    const rows = exitCodeMeanings.map(({ code, meaning }) => `| ${code} | ${meaning} |`);
    const document = readFileSync(join(repository, "README.md"), "utf8");
    expect(document).toContain(`\n\n${[head, "|---|---|", ...rows].join("\n")}\n\n`);
    const documents = [
      ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map((file) =>
        join(repository, file),
      ),
      ...filesBelow(join(repository, "docs")),
    ];
    const withTable = documents.filter((path) => readFileSync(path, "utf8").includes(head));
    expect(withTable.map((path) => relative(repository, path))).toEqual(["README.md"]);
  });

  test("each dependency has its line in ARCHITECTURE.md, and is pinned", () => {
    const document = readFileSync(join(repository, "ARCHITECTURE.md"), "utf8");
    const description = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
    for (const dependency of Object.keys(description.dependencies)) {
      expect(document).toContain(`| \`${dependency}\` |`);
    }
    const versions = { ...description.dependencies, ...description.devDependencies };
    for (const version of Object.values(versions)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });
});
