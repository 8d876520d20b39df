/**
 * One generated turn and what is appended behind it, held against a render of the whole: is the
 * history kept as it was, and are the incremental tokens those of the full render?
 *
 * Contract   the stored ids are those of the rendered history, ended as the model ends a turn: with
 *            every end that the family's boundary rule knows, one after another.
 * Reports    what differs, as data; a render that fails is a finding like any other.
 */
import { InvalidRequestError } from "../errors.ts";
import type { JsonObject } from "../json/values.ts";
import type { TitoTokenizer } from "../tito/tito-tokenizer.ts";
import type { TurnEnd } from "../tito/turn-ends.ts";
import type { Tokenizer } from "../tokenizer/tokenizer.ts";
import type { GrowingConversation } from "./conversations.ts";

export type Finding =
  | { readonly kind: "equal" }
  /** A role is appended that the family does not take. */
  | { readonly kind: "not taken"; readonly role: string }
  | { readonly kind: "refused"; readonly reason: string }
  /** The longer render does not begin with the shorter one. */
  | { readonly kind: "history changed"; readonly difference: Difference }
  /** Stored and appended tokens are not those of the full render. */
  | { readonly kind: "tokens differ"; readonly difference: Difference };

export interface Difference {
  /** Texts from a little before the first difference on. */
  readonly expected: string;
  readonly actual: string;
  /** Ids that are equal before it. */
  readonly equalTokens: number;
}

export interface VerifiedFamily {
  readonly tito: TitoTokenizer;
  readonly tokenizer: Tokenizer;
  /** How turns end. */
  readonly ends: readonly TurnEnd[];
}

/** The run behind a generated turn: up to the next generated one or the end. */
export function appendedRun({ messages, generated }: GrowingConversation, turn: number) {
  const next = generated.find((index) => index > turn) ?? messages.length;
  return messages.slice(turn + 1, next);
}

export async function checkTurn(
  family: VerifiedFamily,
  conversation: GrowingConversation,
  turn: number,
): Promise<Finding> {
  const run = appendedRun(conversation, turn);
  const taken = family.tito.allowedAppendRoles;
  const roles = run.map((message) => String(message.get("role")));
  const role = roles.find((name) => !taken.has(name));
  if (role !== undefined) return { kind: "not taken", role };
  try {
    return await compareRenders(family, conversation, turn, run);
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    return { kind: "refused", reason: error.message };
  }
}

async function compareRenders(
  { tito, tokenizer, ends }: VerifiedFamily,
  { messages, tools }: GrowingConversation,
  turn: number,
  run: readonly JsonObject[],
): Promise<Finding> {
  const stored = messages.slice(0, turn + 1);
  const whole = [...stored, ...run];
  const history = await tito.renderPrompt(stored, tools, { addGenerationPrompt: false });
  const expected = await tito.renderPrompt(whole, tools, { addGenerationPrompt: true });
  const [historyText, expectedText] = [
    await tokenizer.decode(history),
    await tokenizer.decode(expected),
  ];
  if (!expectedText.startsWith(historyText)) {
    const difference = await firstDifference(tokenizer, expected, history);
    return { kind: "history changed", difference };
  }
  for (const end of ends) {
    const ended = end(history);
    const appended = await tito.appendTokens(stored, run, ended.at(-1), tools);
    const actual = [...ended.slice(0, ended.length - appended.dropLast), ...appended.tokens];
    if (sameIds(expected, actual)) continue;
    const difference = await firstDifference(tokenizer, expected, actual);
    return { kind: "tokens differ", difference };
  }
  return { kind: "equal" };
}

function sameIds(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((id, index) => id === right[index]);
}

/** Tokens that are shown before the first difference, and from it on. */
const tokensBefore = 12;
const tokensShown = 24;

async function firstDifference(
  tokenizer: Tokenizer,
  expected: readonly number[],
  actual: readonly number[],
): Promise<Difference> {
  let equalTokens = 0;
  while (
    equalTokens < Math.min(expected.length, actual.length) &&
    expected[equalTokens] === actual[equalTokens]
  ) {
    equalTokens += 1;
  }
  const shown = (ids: readonly number[]) =>
    tokenizer.decode(ids.slice(Math.max(0, equalTokens - tokensBefore), equalTokens + tokensShown));
  return { expected: await shown(expected), actual: await shown(actual), equalTokens };
}
