/**
 * Rows of text as a table for the terminal or as one in Markdown.
 */

export interface Table {
  readonly heading: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Columns from the left that hold words; the others hold numbers. */
  readonly wordColumns: number;
  /** Whether the last column holds words as well. */
  readonly endsWithWords?: boolean;
}

export function isWordColumn(table: Table, column: number): boolean {
  if (column < table.wordColumns) return true;
  return table.endsWithWords === true && column === table.heading.length - 1;
}

export function textTable(table: Table): string {
  const all = [table.heading, ...table.rows];
  const widths = table.heading.map((_, column) =>
    Math.max(...all.map((row) => Bun.stringWidth(row[column] ?? ""))),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const space = " ".repeat(Math.max(0, (widths[column] ?? 0) - Bun.stringWidth(cell)));
        return isWordColumn(table, column) ? cell + space : space + cell;
      })
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "-".repeat(width)).join("  ");
  return [line(table.heading), rule, ...table.rows.map(line)].join("\n");
}

export function markdownTable(table: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = table.heading.map((_, column) => (isWordColumn(table, column) ? "---" : "---:"));
  return [line(table.heading), line(rule), ...table.rows.map(line)].join("\n");
}
