/**
 * Every bound that a client, a backend, the hub, a checkpoint or an operator can meet, with unit
 * and reason. docs/guarantees.md lists them with what happens beyond each. Relations between them
 * are asserted at load.
 *
 * Not here   sizes of buffers and caches that nobody can tell from outside: they stand where they
 *            are used.
 */
import { assert } from "./assert.ts";

const mebibyte = 1024 * 1024;
const gibibyte = 1024 * mebibyte;

/** Bytes of one HTTP request body: no agent sends more, and an ArrayBuffer ends at 4 GiB. */
export const requestBodyBytesMax = 2 * gibibyte;

/** Bytes of a chat request, which is parsed as text: a string ends at 2^31 - 1 characters. */
export const chatBodyBytesMax = gibibyte;

/** Bytes of the settings that a session is created with: parameters and a trainer's notes. */
export const sessionSettingsBytesMax = mebibyte;

/**
 * Bytes of replies that a process keeps for clients that send a request again: a client does so
 * seconds after its own timeout, so the newest replies of the busiest process will do.
 */
export const retainedReplyBytesMax = 64 * mebibyte;

/** Bytes of one reply that is kept so; a larger turn is sampled anew. */
export const retainedReplyBytesEachMax = 4 * mebibyte;

/** Turns of one session whose replies are kept: its latest, and those that ran beside it. */
export const retainedTurnsMax = 4;

/** Sessions on one page of GET /sessions: a few hundred kilobytes of JSON. */
export const sessionPageMax = 1_000;

/** Characters of an Idempotency-Key, which is an id and not a document. */
export const idempotencyKeyCharactersMax = 1_024;

/** Characters of a bearer token: a request's headers end at 16 KiB. */
export const authTokenCharactersMax = 4_096;

/**
 * Milliseconds that a redirect to the owner of records may be followed: a client does so at once,
 * and the address ends up in logs of proxies.
 */
export const recordsTicketMs = 60_000;

/** Bytes of one IPC frame, checked before it is sent; beyond it a length is garbage. */
export const frameBytesMax = 64 * gibibyte;

/** Bytes of a reply that travels inside its frame; a larger one goes through a lane of its own. */
export const inlineReplyBytesMax = mebibyte;

/** Bytes read ahead of a lane's consumer: a few chunks of a socket, then the worker waits. */
export const laneReadAheadBytes = mebibyte;

/**
 * Milliseconds an announced body waits for its lane. A router claims each in the same tick; the
 * bound is for one that died or lost its channel in between.
 */
export const laneClaimMs = 30_000;

/** Bytes of one slice given to a response stream: larger ones are copied by the HTTP server. */
export const streamSliceBytes = mebibyte;

/** Nesting of JSON that clients and backends may send; Python's parser stops at about the same. */
export const jsonNestingMax = 1_000;

/** Digits of one integer in JSON and in templates: sys.set_int_max_str_digits' default. */
export const integerDigitsMax = 4_300;

/** Decodings that a relayed path may need to end: more than any chain of proxies makes. */
export const pathDecodingsMax = 8;

/** Bytes of a backend's status line and headers, or trailers: twice what proxies let pass. */
export const backendHeaderBytesMax = 128 * 1024;

/** Header lines of one reply of a backend: several times what servers and proxies add up to. */
export const backendHeaderCountMax = 256;

/** Bytes behind the size of one chunk: nobody sends any, and they are skipped one by one. */
export const chunkExtensionBytesMax = 4 * 1024;

/** Bytes of a backend's reply that wait for a slow reader: two reads of a socket. */
export const backendReadAheadBytes = mebibyte;

/**
 * Milliseconds that an unused connection to a backend is kept: half of what gunicorn allows, the
 * least patient of the usual servers (2 s; uvicorn and Node 5 s, nginx 75 s).
 */
export const backendIdleMs = 1_000;

/** Milliseconds of silence of a backend before TCP asks whether its machine is still there. */
export const backendProbeMs = 60_000;

/** Characters that an error quotes of a reply that is no HTTP. */
export const malformedCharactersQuoted = 60;

/** Characters that an error quotes of a refusal that is no JSON, such as a page of HTML. */
export const refusalCharactersQuoted = 1_000;

/** Characters that the log quotes of a refusal: its first line, or what a wrong server says. */
export const refusalCharactersLogged = 200;

/** Characters that a warning or an error quotes of each of two messages that differ. */
export const excerptCharactersMax = 60;

/** Names of tools that a warning lists of those that were added, removed or changed. */
export const toolNamesLogged = 20;

/** Redirects that one request to the hub follows: it needs two. */
export const hubRedirectsMax = 5;

/** Connections to the hub in a row that may end without having brought anything. */
export const hubFailuresMax = 5;

/** Token ids of the fast tokenizer, which are indices of arrays: real ones end below 300,000. */
export const tokenIdMax = 2 ** 21;

/** Iterations of all loops of one render of a template: seconds of work, not hours. */
export const templateIterationsMax = 10_000_000;

/** UTF-16 units of one string of a template, its output included: far above any model's context. */
export const templateTextUnitsMax = 64 * 1024 * 1024;

/** Items of one list or tuple that an operator of a template builds. */
export const templateListItemsMax = 10_000_000;

/** Macro calls and recursive loops inside each other; Python's stack ends near here too. */
export const templateCallDepthMax = 200;

/** Bits of one integer that an operator of a template builds: exact arithmetic stays cheap. */
export const templateIntegerBitsMax = 65_536;

/** Items of one range() in a template: MAX_RANGE of Jinja's sandbox. */
export const templateRangeItemsMax = 100_000;

/** Digits after the point that a template may ask for: what the runtime writes exactly. */
export const templatePrecisionMax = 99;

/** Bytes of a Unix socket path; the kernel takes 107. */
export const socketPathBytesMax = 107;

/** Worker processes: more than this is a typing error on any machine of today. */
export const workerCountMax = 1_024;

/** Generated turns that one retry may take back: the original's MAX_ASSISTANT_ROLLBACK_STEPS. */
export const rollbackTurnsMax = 1;

/**
 * Roles of a first prompt that not every model family has: each is rendered once more, and no
 * template knows more than two of them.
 */
export const unknownRolesMax = 8;

/** Milliseconds a child may take from spawn to ready: a large tokenizer on a busy machine. */
export const childReadyMs = 60_000;

/** Milliseconds that a server which was told to stop has for all of its processes. */
export const stopGraceMs = 5_000;

/**
 * Milliseconds that a server which has lost a process has for the others: enough to say 503, too
 * little for a client to wait for what will not come.
 */
export const failureGraceMs = 500;

/** Milliseconds by which a signal to all processes may reach one of them before another. */
export const groupSignalMs = 200;

/**
 * Open files below which a server warns: each chat under way takes one in each of two processes.
 */
export const openFilesMin = 4_096;

/** Milliseconds that each process gets to end by itself, however late its turn comes. */
export const processGraceMs = 250;

/** Milliseconds a child that was asked to stop waits for replies under way. */
export const stopDrainMs = 4_000;

/**
 * Milliseconds from a lost worker channel to the end of the router. The supervisor sees a dead
 * worker within a few; a router that outlives this has lost a worker that lives.
 */
export const channelLossMs = 2_000;

/** Lines a second that a process logs of failed requests; beyond it they are counted. */
export const failureLinesPerSecond = 20;

/** Milliseconds that the stderr of a dead child is still read: another process may hold it open. */
export const stderrAfterEndMs = 500;

/** Bytes of a child's stderr that are kept to explain its death. */
export const lastWordsBytes = 4_096;

assert(inlineReplyBytesMax <= frameBytesMax, "an inline reply must fit into a frame");
assert(chatBodyBytesMax < 2 ** 31 - 1, "a chat request is held in one string");
assert(
  retainedReplyBytesEachMax <= retainedReplyBytesMax,
  "a kept reply must fit among the kept ones",
);
assert(
  templateRangeItemsMax <= Math.min(templateIterationsMax, templateListItemsMax),
  "the longest range can be looped over and listed",
);
assert(stopDrainMs < stopGraceMs, "a draining child must end before it is killed");
assert(failureGraceMs + 2 * processGraceMs <= 1_000, "who waits for a lost server knows in 1 s");
assert(requestBodyBytesMax <= 4 * gibibyte, "a request body is held in one ArrayBuffer");
