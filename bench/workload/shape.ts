/**
 * Shapes: how much work a run does, by name and in numbers. A shape says nothing about the server.
 *
 * Limits     sessionsMax, because a session's number is written with four digits so that every
 *            session has the same number of tokens.
 */

export interface Shape {
  readonly name: string;
  /** Sessions that are driven at the same time, each by one agent that waits for its reply. */
  readonly sessions: number;
  readonly turns: number;
  /** Tokens of each user message. */
  readonly inputTokens: number;
  /** Tokens that the model generates in a turn, the stop token included. */
  readonly outputTokens: number;
  /**
   * Tokens of the tool result that every turn but the first appends; 0: every turn appends a user
   * message instead, and the model calls no tools.
   */
  readonly toolResultTokens: number;
  /** Bytes of routed_experts for one token, before base64; 0: none is asked for. */
  readonly r3BytesPerToken: number;
  /** Whether a reply carries the rows of the whole conversation or those of its own turn. */
  readonly r3: "accumulated" | "incremental";
  /** Milliseconds that the model thinks before it answers. */
  readonly thinkMs: number;
  /** Milliseconds that the agent's tool takes between a reply and the next request. */
  readonly idleMs: number;
}

/** A session's number has four digits. */
export const sessionsMax = 10_000;

const plain = {
  toolResultTokens: 0,
  r3BytesPerToken: 0,
  r3: "accumulated",
  thinkMs: 0,
  idleMs: 0,
} as const;

export const shapes: readonly (Shape & { readonly purpose: string })[] = [
  {
    ...plain,
    name: "smoke",
    purpose: "everything once, in seconds; its figures mean nothing",
    sessions: 4,
    turns: 6,
    inputTokens: 32,
    outputTokens: 32,
    r3BytesPerToken: 100,
  },
  {
    ...plain,
    name: "small",
    purpose: "what a turn costs apart from its payload",
    sessions: 32,
    turns: 50,
    inputTokens: 64,
    outputTokens: 64,
  },
  {
    ...plain,
    name: "agentic",
    purpose: "a coding agent: reasoning, tool calls, long tool results",
    sessions: 32,
    turns: 30,
    inputTokens: 300,
    outputTokens: 300,
    toolResultTokens: 2_000,
    r3BytesPerToken: 1_000,
  },
  {
    ...plain,
    name: "production",
    purpose: "the original's: the last body has 134 MB; also with --sessions 8 or 32",
    sessions: 2,
    turns: 50,
    inputTokens: 1_000,
    outputTokens: 1_000,
    r3BytesPerToken: 1_000,
  },
  {
    ...plain,
    name: "growth",
    purpose: "what a turn costs as the history grows by the same amount each turn",
    sessions: 16,
    // Five more than the last one that is shown, which counts with those around it.
    turns: 205,
    inputTokens: 64,
    outputTokens: 64,
  },
  {
    ...plain,
    name: "records",
    purpose: "chats without, with and again without concurrent full-records GETs",
    sessions: 8,
    turns: 50,
    // 30,000 tokens in the end: a GET of a gigabyte that blocked its process would be seen.
    inputTokens: 300,
    outputTokens: 300,
    r3BytesPerToken: 1_000,
  },
];

export function findShape(name: string): Shape | undefined {
  return shapes.find((shape) => shape.name === name);
}

/** "2 x 50, 1000 in, 1000 out, R3 1000 B/token accumulated" */
export function describeShape(shape: Shape): string {
  const parts = [
    `${shape.sessions} x ${shape.turns}`,
    `${shape.inputTokens} in`,
    `${shape.outputTokens} out`,
  ];
  if (shape.toolResultTokens > 0) parts.push(`tool results of ${shape.toolResultTokens}`);
  parts.push(
    shape.r3BytesPerToken === 0 ? "no R3" : `R3 ${shape.r3BytesPerToken} B/token ${shape.r3}`,
  );
  if (shape.thinkMs > 0) parts.push(`model thinks ${shape.thinkMs} ms`);
  if (shape.idleMs > 0) parts.push(`tool takes ${shape.idleMs} ms`);
  return parts.join(", ");
}

/** @throws Error with a sentence that names the number that makes no sense */
export function checkShape(shape: Shape): Shape {
  const minimum = (name: keyof Shape, least: number): void => {
    const value = shape[name];
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= least) return;
    throw new Error(`${name} is ${value}; expected a whole number of ${least} or more`);
  };
  for (const name of ["sessions", "turns", "inputTokens"] as const) minimum(name, 1);
  // Thinking marks, something to say and the stop token; a tool call is longer.
  minimum("outputTokens", shape.toolResultTokens > 0 ? 64 : 8);
  for (const name of ["toolResultTokens", "r3BytesPerToken", "thinkMs", "idleMs"] as const) {
    minimum(name, 0);
  }
  if (shape.sessions > sessionsMax) {
    throw new Error(`sessions is ${shape.sessions}; expected at most ${sessionsMax}`);
  }
  return shape;
}
