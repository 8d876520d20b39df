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
 * Refused when a template is compiled: HTML escaping (whose Markup type changes every operation on
 * it), chance, and layouts of Python's own that no chat template needs.
 */
export const refusedFilters: ReadonlySet<string> = new Set([
  "e",
  "escape",
  "forceescape",
  "pprint",
  "random",
  "safe",
  "striptags",
  "urlize",
  "wordwrap",
  "xmlattr",
]);
