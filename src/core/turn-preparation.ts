/**
 * The first phase of a turn: from a client's request to what the backend is asked.
 *
 * Contract   changes nothing; the caller holds the session's lock. The prompt is the stored ids and
 *            what the request appends to them, whatever protocol it came in.
 * Reports    InvalidRequestError.
 */
import { InvalidRequestError } from "../errors.ts";
import { type KnownItems, matchedBytes } from "../json/known-items.ts";
import { writeJson } from "../json/lossless.ts";
import { jsonEqual } from "../json/python-equality.ts";
import type { JsonObject } from "../json/values.ts";
import type { OpenedTurn, TurnProtocol } from "../protocols/turn-protocol.ts";
import type { TitoTokenizer } from "../tito/tito-tokenizer.ts";
import type { TurnPlan } from "../trajectory/linear-trajectory.ts";
import type { MessageMatcher } from "../trajectory/message-matcher.ts";
import { planReplay } from "../trajectory/replayed-history.ts";
import type { Session } from "../trajectory/session.ts";
import {
  type ChatRequest,
  parseChatRequest,
  type ReplayFlags,
  type UpstreamBody,
  upstreamRequest,
} from "./chat-request.ts";
import { isFullSessionReply } from "./full-session.ts";
import type { MessageRules } from "./message-rules.ts";
import { applySessionParameters } from "./sampling-parameters.ts";
import { placeSystemMessages } from "./system-placement.ts";

export interface PreparationRules {
  readonly tito: TitoTokenizer;
  /** Of chat; translated protocols have one of their own. */
  readonly messageMatcher: MessageMatcher;
  readonly messageRules: MessageRules;
  readonly replay: ReplayFlags;
}

/** A request that was read. Its body is not needed any more, and a model may think for long. */
export interface ReadTurn {
  readonly request: ChatRequest;
  /** What the client gets while the model thinks. */
  readonly waiting: OpenedTurn["waiting"];
  /** The reply in the client's protocol. */
  readonly render: OpenedTurn["render"];
  /** Leading segments of the known messages' text that the request repeats. */
  readonly matchedSegments: number;
}

/** How the ids of a prompt continue those of its session. */
export interface Prompt {
  readonly plan: TurnPlan;
  /** Ids that the prompt leaves out at the end of the stored ones. */
  readonly dropLast: number;
  /** Ids that it adds to them. */
  readonly addedTokens: readonly number[];
  /** Ids of the whole prompt. */
  readonly promptTokens: number;
}

/** What the backend is asked, and the state of the session that it was made for. */
export interface PreparedTurn extends ReadTurn, Prompt {
  readonly kind: "prompt";
  readonly upstreamBody: UpstreamBody;
}

/** The session has no room for the turn. */
export interface FullTurn extends ReadTurn {
  readonly kind: "full";
  readonly promptTokens: number;
}

export async function prepareTurn(
  session: Session,
  protocol: TurnProtocol,
  body: Uint8Array,
  rules: PreparationRules,
): Promise<PreparedTurn | FullTurn> {
  const { settings, trajectory } = session;
  const known = trajectory.knownMessages();
  const read = readTurn(session, protocol, body, known, rules);
  const tito = requestTokenizer(session, read.request.templateKwargs, rules.tito);
  const limit = settings.maxTotalTokens;
  let prompt: Prompt;
  try {
    prompt = await continuedPrompt(session, protocol, read.request, tito, rules);
  } catch (error) {
    // The client goes on after the empty reply of a full session, which is no turn of it: where the
    // family cannot append an assistant message, that is no mistake of the client's.
    const messages = withoutFullReplies(session, read.request.messages);
    if (!(error instanceof InvalidRequestError) || messages === null) throw error;
    const request = { ...read.request, messages };
    const { promptTokens } = await continuedPrompt(session, protocol, request, tito, rules);
    if (limit === null || promptTokens < limit) throw error;
    return { kind: "full", ...read, promptTokens };
  }
  const { plan, dropLast, addedTokens, promptTokens } = prompt;
  if (limit !== null && promptTokens >= limit) return { kind: "full", ...read, promptTokens };

  const members = new Map(read.request.passedMembers);
  applySessionParameters(members, settings, limit === null ? null : limit - promptTokens);
  const inputIds = trajectory.tokens.promptText(plan.checkpointCount, dropLast, addedTokens);
  const kwargs = tito.chatTemplateKwargs;
  const sessionText = { knownMessages: matchedBytes(known), inputIds };
  const upstreamBody = upstreamRequest(read.request, members, rules.replay, kwargs, sessionText);
  return { kind: "prompt", ...read, ...prompt, upstreamBody };
}

/** The request without the empty replies of a full session; null when it has none of them. */
function withoutFullReplies(
  { isFull, trajectory }: Session,
  messages: readonly JsonObject[],
): readonly JsonObject[] | null {
  if (!isFull) return null;
  const storedCount = trajectory.messages.length;
  const kept = messages.filter(
    (message, index) => index < storedCount || !isFullSessionReply(message),
  );
  return kept.length < messages.length ? kept : null;
}

/** The session's tokenizer: the server's, with the variables that the session was created with. */
export function sessionTokenizer(session: Session, tito: TitoTokenizer): TitoTokenizer {
  const { chatTemplateKwargs } = session.settings;
  return chatTemplateKwargs.size > 0 ? tito.withRequestKwargs(chatTemplateKwargs) : tito;
}

function readTurn(
  session: Session,
  protocol: TurnProtocol,
  body: Uint8Array,
  known: KnownItems,
  rules: PreparationRules,
): ReadTurn {
  const { chatBody, waiting, render } = protocol.open(body, session);
  const request = readRequest(chatBody, known, protocol, rules.messageRules);
  return { request, waiting, render, matchedSegments: known.matchedSegments };
}

/** A chat completion request with its messages as the session takes them. */
export function readRequest(
  chatBody: Uint8Array,
  known: KnownItems,
  { isTranslation }: Pick<TurnProtocol, "isTranslation">,
  rules: MessageRules,
): ChatRequest {
  const request = parseChatRequest(chatBody, known, rules);
  if (!isTranslation) return request;
  return { ...request, messages: placeSystemMessages(request.messages, rules.systemAnywhere) };
}

export async function continuedPrompt(
  session: Session,
  { isTranslation }: Pick<TurnProtocol, "isTranslation">,
  request: ChatRequest,
  tito: TitoTokenizer,
  rules: PreparationRules,
): Promise<Prompt> {
  const { trajectory } = session;
  const { messages } = request;
  const plan = isTranslation
    ? planReplay(trajectory, messages, tito.allowedAppendRoles)
    : trajectory.plan(messages, rules.messageMatcher, tito.allowedAppendRoles);
  if (plan.lastToken === undefined) {
    const options = { addGenerationPrompt: true };
    const addedTokens = await tito.renderPrompt(plan.appended, request.tools, options);
    return { plan, dropLast: 0, addedTokens, promptTokens: addedTokens.length };
  }
  const { dropLast, tokens } = await tito.appendTokens(
    plan.history,
    plan.appended,
    plan.lastToken,
    request.tools,
  );
  const stored = trajectory.tokens.view(plan.checkpointCount).length;
  return { plan, dropLast, addedTokens: tokens, promptTokens: stored - dropLast + tokens.length };
}

/** The session's variables stand above the request's, which must not contradict them. */
export function requestTokenizer(
  session: Session,
  requestKwargs: JsonObject,
  tito: TitoTokenizer,
): TitoTokenizer {
  if (requestKwargs.size === 0) return sessionTokenizer(session, tito);
  for (const [name, value] of requestKwargs) {
    const pinned = session.settings.chatTemplateKwargs.get(name);
    if (pinned === undefined || jsonEqual(pinned, value)) continue;
    throw new InvalidRequestError(
      `chat_template_kwargs.${name} is ${writeJson(pinned)} for this session, ` +
        `got ${writeJson(value)}`,
    );
  }
  return sessionTokenizer(session, tito.withRequestKwargs(requestKwargs));
}
