/**
 * What one template may cost. A template comes from a checkpoint and its values from a client, so
 * neither may take the process down; each bound is met with a `TemplateError`.
 */
export const bounds = {
  /** Iterations of all loops and iterators of one render: seconds of work, not hours. */
  iterations: 10_000_000,
  /** UTF-16 units of one string, output included: 64 Mi, far above any model's context. */
  textLength: 64 * 1024 * 1024,
  /** Items of one list or tuple that an operator builds. */
  listLength: 10_000_000,
  /** Macro calls and recursive loops inside each other; Python's stack ends near here too. */
  callDepth: 200,
  /** Bits of one integer that an operator builds: exact arithmetic stays cheap. */
  integerBits: 65_536,
  /** Items of one range(): MAX_RANGE of Jinja's sandbox. */
  rangeLength: 100_000,
} as const;
