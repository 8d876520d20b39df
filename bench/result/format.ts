/**
 * Numbers as people read them.
 */

const gibibyte = 1024 ** 3;
const mebibyte = 1024 ** 2;

/** Three digits that count, without exponents: 1234, 123, 12.3, 1.23, 0.12. */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return "-";
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

/** "7.95 GiB", "512 MiB", "3 KiB" */
export function formatBytes(bytes: number): string {
  if (bytes >= gibibyte) return `${formatNumber(bytes / gibibyte)} GiB`;
  if (bytes >= mebibyte) return `${formatNumber(bytes / mebibyte)} MiB`;
  return `${Math.ceil(bytes / 1024)} KiB`;
}

/** Without unit, in the way of a table's column. */
export function formatGibibytes(bytes: number): string {
  return formatNumber(bytes / gibibyte);
}

export function formatMebibytes(bytes: number): string {
  return (bytes / mebibyte).toFixed(0);
}

/** "2 connection closed, 1 chat: status 502", or "0" when nothing failed. */
export function formatFailures(failures: Readonly<Record<string, number>>): string {
  const kinds = Object.entries(failures).map(([kind, count]) => `${count} ${kind}`);
  return kinds.length === 0 ? "0" : kinds.join(", ");
}
