/**
 * The demo's output: plain lines everywhere, colour and a moving progress line on a terminal only.
 * NO_COLOR is honoured (no-color.org).
 */

export interface Display {
  line(text?: string): void;
  heading(text: string): void;
  /** A state that the next one may take the place of; says nothing when it could not. */
  progress(text: string): void;
  good(text: string): string;
  bad(text: string): string;
  dim(text: string): string;
}

export interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const clearLine = "\r\x1b[2K";

export function createDisplay(
  terminal: Terminal,
  environment: Readonly<Record<string, string | undefined>>,
): Display {
  const isTerminal = terminal.isTTY === true;
  const hasColor = isTerminal && (environment["NO_COLOR"] ?? "") === "";
  const paint = (code: number) => (text: string) =>
    hasColor ? `\x1b[${code}m${text}\x1b[0m` : text;
  const bold = paint(1);
  const write = (text: string) => terminal.write(isTerminal ? clearLine + text : text);
  return {
    line: (text = "") => void write(`${text}\n`),
    heading: (text) => void write(`\n${bold(text)}\n`),
    progress: (text) => {
      if (isTerminal) write(text);
    },
    good: paint(32),
    bad: paint(31),
    dim: paint(2),
  };
}

/** Columns as wide as their widest cell; numbers to the right. The first row is the heading. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  const [heading = []] = rows;
  const widths = heading.map((_, column) =>
    Math.max(...rows.map((row) => Bun.stringWidth(row[column] ?? ""))),
  );
  const isNumeric = heading.map((_, column) =>
    rows.slice(1).every((row) => /^\d/.test(Bun.stripANSI(row[column] ?? ""))),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const padding = " ".repeat((widths[column] ?? 0) - Bun.stringWidth(cell));
        return isNumeric[column] === true ? padding + cell : cell + padding;
      })
      .join("  ")
      .trimEnd(),
  );
}

export function formatBytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(2)} MiB`;
}
