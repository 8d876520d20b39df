/**
 * The table of filters, and the names of those that Jinja has and this engine refuses.
 */
import type { Filter } from "./environment.ts";
import { lazyFilters } from "./lazy-filters.ts";
import { sequenceFilters } from "./sequence-filters.ts";
import { textFilters } from "./text-filters.ts";
import { valueFilters } from "./value-filters.ts";

export const filters: ReadonlyMap<string, Filter> = new Map([
  ...textFilters,
  ...valueFilters,
  ...sequenceFilters,
  ...lazyFilters,
]);

/**
 * Refused when a template is compiled: chance, and layouts of Python's own and of HTML that no chat
 * template needs.
 */
export const refusedFilters: ReadonlySet<string> = new Set([
  "pprint",
  "random",
  "striptags",
  "urlize",
  "wordwrap",
  "xmlattr",
]);
