/**
 * What an agent of the demo works on: a directory of invoices that exists in memory only, and the
 * three tools to look at it.
 *
 * Contract   everything follows from the agent's number, so every demo does the same work.
 */

export interface Workspace {
  readonly client: string;
  /** Content by path. */
  readonly files: ReadonlyMap<string, string>;
  /** What the invoices add up to, in cents. */
  readonly totalCents: number;
}

const clients = [
  "Alder & Sons",
  "Brightwater",
  "Café Müller",
  "Delta Orchids",
  "Eastgate Print",
  "Fjord Optics",
  "Granite Works",
  "Harbour Lane",
];

/** Agents with a workspace of their own. */
export const workspaceCount = clients.length;

const positions = ["Machine hours", "Travel", "Spare parts", "Night shift", "Documentation"];

export function makeWorkspace(agentIndex: number): Workspace {
  const client = clients[agentIndex % clients.length] ?? "";
  const files = new Map<string, string>();
  let totalCents = 0;
  for (let month = 1; month <= 4 + (agentIndex % 3); month += 1) {
    const lines = positions.slice(0, 2 + ((agentIndex + month) % 4)).map((position, index) => {
      const cents = 4_900 + 1_337 * month + 2_711 * index + 613 * agentIndex;
      return { position, cents };
    });
    const cents = lines.reduce((sum, line) => sum + line.cents, 0);
    totalCents += cents;
    files.set(
      `invoices/2026-0${month}.txt`,
      [
        `Invoice 2026-0${month} for ${client}`,
        ...lines.map((line) => `- ${line.position}: ${formatCents(line.cents)} EUR`),
        `Total: ${formatCents(cents)} EUR`,
      ].join("\n"),
    );
  }
  return { client, files, totalCents };
}

export function formatCents(cents: number): string {
  return (cents / 100).toFixed(2);
}

/** What the invoices come to with value-added tax. */
export function grossAmount(workspace: Workspace): string {
  return (Number(formatCents(workspace.totalCents)) * 1.19).toFixed(2);
}

/** The tools as an OpenAI client announces them. */
export const tools = [
  tool("list_files", "Names the files of a directory.", "directory"),
  tool("read_file", "Gives the text of a file.", "path"),
  tool("calculate", "Computes sums of products, such as 2 * 3 + 4.5.", "expression"),
];

function tool(name: string, description: string, parameter: string) {
  return {
    type: "function",
    function: {
      name,
      description,
      parameters: {
        type: "object",
        properties: { [parameter]: { type: "string" } },
        required: [parameter],
      },
    },
  };
}

/** Runs a tool; what it cannot do is told to the model as text. */
export function callTool(workspace: Workspace, name: string, argumentsText: string): string {
  const values = Object.values(JSON.parse(argumentsText) as Record<string, string>);
  const value = values[0] ?? "";
  switch (name) {
    case "list_files": {
      const paths = [...workspace.files.keys()].filter((path) => path.startsWith(`${value}/`));
      return paths.length > 0 ? paths.join("\n") : `no files in ${value}`;
    }
    case "read_file":
      return workspace.files.get(value) ?? `no such file: ${value}`;
    case "calculate":
      return calculate(value);
    default:
      return `no such tool: ${name}`;
  }
}

function calculate(expression: string): string {
  const terms = expression.split("+").map((term) =>
    term
      .split("*")
      .map(Number)
      .reduce((product, factor) => product * factor, 1),
  );
  const sum = terms.reduce((total, term) => total + term, 0);
  return Number.isFinite(sum) ? sum.toFixed(2) : `not a sum of products: ${expression}`;
}
