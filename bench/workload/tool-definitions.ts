/**
 * The tools of the agentic shape, as coding agents announce them with every request.
 */

export const toolDefinitions: readonly object[] = [
  tool("run_command", "Run a shell command in the workspace and return what it printed.", {
    command: { type: "string", description: "The command line, run by bash." },
    timeout: { type: "number", description: "Seconds before it is stopped.", default: 30.0 },
  }),
  tool("read_file", "Read a file of the workspace.", {
    path: { type: "string", description: "Path relative to the workspace." },
    offset: { type: "integer", description: "First line, counted from 1.", default: 1 },
    limit: { type: "integer", description: "Lines at most.", default: 2000 },
  }),
  tool("edit_file", "Replace a text that stands exactly once in a file.", {
    path: { type: "string", description: "Path relative to the workspace." },
    old_text: { type: "string", description: "The text to be replaced, with its indentation." },
    new_text: { type: "string", description: "What takes its place." },
  }),
  tool("search", "Search the workspace with a regular expression.", {
    pattern: { type: "string", description: "An extended regular expression." },
    paths: { type: "array", items: { type: "string" }, description: "Where to search." },
  }),
];

function tool(name: string, description: string, properties: Record<string, object>): object {
  const [required = ""] = Object.keys(properties);
  return {
    type: "function",
    function: {
      name,
      description,
      parameters: { type: "object", properties, required: [required] },
    },
  };
}
