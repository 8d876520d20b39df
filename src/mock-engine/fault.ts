/**
 * What the mock engine can do wrong on purpose, as short texts: the same in a start parameter, in a
 * script and in the request header `x-mock-error`.
 *
 * Contract   `status-503` answers that status in SGLang's error shape, `status-503:busy` with that
 *            body; every other name is explained in `faultNames`. A text that names no fault is
 *            reported, never ignored: a test must not pass because its fault was misspelt.
 */

export const faultNames = {
  reset: "closes the connection instead of replying",
  silent: "accepts the request and never answers",
  truncated: "promises the whole body, sends half of it and closes",
  stalled: "sends half of the body and then nothing, with the connection open",
  "not-json": "answers 200 with a body that is no JSON",
  "no-choices": "leaves the list of choices empty",
  "null-message": "the choice's message is null",
  "null-content": "the message's content is null",
  "no-meta-info": "the choice has no meta_info",
  "no-logprobs": "meta_info has no output_token_logprobs",
  "wrong-completion-tokens": "completion_tokens is one more than there are logprobs",
  "no-replay-payload": "leaves out the replay payloads that were asked for",
} as const;

export type FaultName = keyof typeof faultNames;
export type Fault = FaultName | `status-${number}` | `status-${number}:${string}`;

const statusFault = /^status-([2-5]\d\d)(?::(.*))?$/s;

/** @throws Error that lists what there is */
export function checkFault(text: string): Fault {
  if (Object.hasOwn(faultNames, text) || statusFault.test(text)) return text as Fault;
  const known = ["status-<code>", "status-<code>:<body>", ...Object.keys(faultNames)].join(", ");
  throw new Error(`unknown fault ${JSON.stringify(text)}; there are ${known}`);
}

/** Status and body of a `status-...` fault (body null: the engine's own); null for the others. */
export function faultStatus(fault: Fault): { status: number; body: string | null } | null {
  const match = statusFault.exec(fault);
  return match ? { status: Number(match[1]), body: match[2] ?? null } : null;
}
