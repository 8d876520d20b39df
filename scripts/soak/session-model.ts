/**
 * What a session must hold, told by what its agent did and what the backend answered; and whether
 * the server's records say the same.
 *
 * Contract   an agent that does not know how a request ended gives each history that is possible;
 *            the records must be one of them, which is the history from then on.
 */
import type { Generation } from "./flaky-backend.ts";

export interface Turn {
  readonly ticket: string;
  readonly generation: Generation;
}

export type History = readonly Turn[];

export interface Message {
  readonly role: string;
  readonly content: string;
}

/** What GET /sessions/{id} says of a session. */
export interface SessionDump {
  readonly records: readonly {
    readonly request: { readonly messages: Message[]; readonly input_ids: number[] };
    readonly response: {
      readonly choices: {
        readonly message: { readonly content: string };
        readonly meta_info: { readonly routed_experts: string };
      }[];
    };
  }[];
  readonly metadata: {
    readonly accumulated_token_ids: number[];
    readonly max_trim_tokens: number;
  };
}

/** The conversation so far, as an agent repeats it, and a message with a ticket behind it. */
export function messagesAfter(history: History, ticket: string): Message[] {
  const messages = history.flatMap(({ ticket: asked, generation }): Message[] => [
    { role: "user", content: asked },
    { role: "assistant", content: generation.content },
  ]);
  return [...messages, { role: "user", content: ticket }];
}

/** The history that the dump shows, or what is wrong with it. */
export function recognize(
  dump: SessionDump,
  possible: readonly History[],
): { readonly history: History } | { readonly violation: string } {
  const violations = possible.map((history) => violationOf(dump, history));
  const index = violations.indexOf(null);
  const history = index < 0 ? undefined : possible[index];
  if (history !== undefined) return { history };
  return { violation: violations.join("; or ") };
}

function violationOf({ records, metadata }: SessionDump, history: History): string | null {
  if (records.length !== history.length) {
    return `${records.length} records where ${history.length} turns were made`;
  }
  let before: readonly number[] = [];
  for (const [index, { ticket, generation }] of history.entries()) {
    const record = records[index];
    const [choice] = record?.response.choices ?? [];
    const expected = messagesAfter(history.slice(0, index), ticket);
    if (JSON.stringify(record?.request.messages) !== JSON.stringify(expected)) {
      return `record ${index} has other messages than were sent`;
    }
    if (choice?.message.content !== generation.content) return `record ${index} has another answer`;
    if (choice.meta_info.routed_experts !== generation.routedExperts) {
      return `record ${index} has another payload`;
    }
    const inputIds = record?.request.input_ids ?? [];
    if (!equal(inputIds, generation.inputIds)) {
      return `record ${index} has other input_ids than the backend got`;
    }
    const kept = before.slice(0, Math.max(0, before.length - metadata.max_trim_tokens));
    if (!equal(inputIds.slice(0, kept.length), kept)) {
      return `the prompt of turn ${index} does not continue the tokens of the turn before`;
    }
    before = [...inputIds, ...generation.completionIds];
  }
  if (!equal(metadata.accumulated_token_ids, before)) return "the accumulated ids are others";
  return null;
}

function equal(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}
