/**
 * Renders random conversations with every template of a directory, here and with Python, and shows
 * what differs: `bun run scripts/fuzz-templates.ts DIRECTORY [--count N] [--seed S]`.
 *
 * Contract   PYTHON names a Python with transformers; `python3` when it is not set. Exit code 1
 *            when something differs. Templates stay where they are: nothing is written to the
 *            project.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type ChatTemplate, compileChatTemplate } from "../src/chat-template/chat-template.ts";
import { TemplateFailure } from "../src/chat-template/errors.ts";
import { parseJson } from "../src/json/lossless.ts";
import type { JsonObject } from "../src/json/values.ts";

/** A render, or the kind of error in its place. */
type Outcome = string | { readonly error: string };

interface Vectors {
  readonly conversations: readonly string[];
  readonly renders: Readonly<Record<string, readonly Outcome[]>>;
}

/** Differences of one template that are shown. */
const shownMax = 3;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const [directory] = positionals;
if (directory === undefined) {
  process.stderr.write("expected a directory of .jinja files\n");
  process.exit(2);
}

const output = mkdtempSync(join(tmpdir(), "session-server-fuzz-"));
try {
  process.exitCode = (await fuzz(resolve(directory))) ? 0 : 1;
} finally {
  rmSync(output, { recursive: true });
}

async function fuzz(templates: string): Promise<boolean> {
  const { conversations, renders } = await renderWithPython(templates);
  const variables = conversations.map((text) => parseJson(text) as JsonObject);
  let differences = 0;
  for (const [name, expected] of Object.entries(renders)) {
    const path = join(templates, name);
    // The generator's own directory has a template that is no file of it.
    if (!(await Bun.file(path).exists())) continue;
    const render = renderer(await Bun.file(path).text(), name);
    const different = expected.flatMap((wanted, index) => {
      const got = render(variables[index] ?? new Map());
      return same(got, wanted) ? [] : [{ got, wanted, conversation: conversations[index] }];
    });
    differences += different.length;
    process.stdout.write(`${name}: ${expected.length} renders, ${different.length} differ\n`);
    for (const case_ of different.slice(0, shownMax)) {
      process.stdout.write(`${JSON.stringify(case_, null, 2)}\n`);
    }
  }
  process.stdout.write(`seed ${values.seed}: ${differences} differences\n`);
  return differences === 0;
}

async function renderWithPython(templates: string): Promise<Vectors> {
  const words = ["--templates", templates, "--output", output, "--grammar-count", "1"];
  const script = join(import.meta.dir, "make-template-vectors.py");
  const python = Bun.spawnSync(
    [
      process.env["PYTHON"] || "python3",
      script,
      ...words,
      ...["--count", values.count, "--seed", values.seed],
    ],
    { stdout: "ignore", stderr: "inherit" },
  );
  if (!python.success) throw new Error(`${script} ended with ${python.exitCode}`);
  return Bun.file(join(output, "conversations.vectors.json")).json();
}

function renderer(source: string, name: string): (variables: JsonObject) => Outcome {
  let template: ChatTemplate | null = null;
  return (variables) => {
    try {
      template ??= compileChatTemplate(source, name);
      return template.render(variables);
    } catch (error) {
      if (!(error instanceof TemplateFailure)) throw error;
      return { error: error.name };
    }
  };
}

function same(left: Outcome, right: Outcome): boolean {
  if (typeof left === "string" || typeof right === "string") return left === right;
  return left.error === right.error;
}
