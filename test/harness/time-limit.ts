/**
 * When a test counts as hung.
 *
 * Contract   no test measures anything with it: it waits for events, however slow the machine is
 *            that day, and only one that never comes meets the limit. `bun run test` gives it to
 *            every test and hook; those that start processes name it too, for who runs `bun test`.
 */
export const hangMs = 300_000;
