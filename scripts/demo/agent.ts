/**
 * An agent of the demo: an ordinary OpenAI client whose base URL is a session. It knows nothing of
 * token ids.
 */
import { invoiceTask, taxTask } from "./model.ts";
import { callTool, grossAmount, makeWorkspace, tools } from "./workspace.ts";

export interface AgentOutcome {
  readonly agentIndex: number;
  readonly client: string;
  readonly sessionId: string;
  readonly turns: number;
  /** The last thing it said. */
  readonly answer: string;
  /** Whether that is right. */
  readonly solved: boolean;
  /** Replies in which a replay payload was found; there must be none. */
  readonly repliesWithPayload: number;
}

interface AssistantMessage {
  readonly role: "assistant";
  readonly content: string;
  readonly tool_calls:
    | readonly { id: string; function: { name: string; arguments: string } }[]
    | null;
}

const systemPrompt = "You are a careful bookkeeper. Use the tools; do not guess.";

/** Turns after which an agent is stuck. */
const turnsMax = 40;

/**
 * Works until both tasks are answered.
 *
 * @param onTurn called after each turn
 * @throws Error when the server answers anything but success
 */
export async function runAgent(
  serverUrl: string,
  agentIndex: number,
  onTurn: () => void,
): Promise<AgentOutcome> {
  const workspace = makeWorkspace(agentIndex);
  const created = await post(`${serverUrl}/sessions`, null);
  const { session_id: sessionId } = JSON.parse(created) as { session_id: string };
  const messages: object[] = [
    { role: "system", content: systemPrompt },
    { role: "user", content: invoiceTask(workspace.client) },
  ];
  const furtherTasks = [taxTask];
  let repliesWithPayload = 0;
  for (let turns = 1; turns <= turnsMax; turns += 1) {
    const text = await post(`${serverUrl}/sessions/${sessionId}/v1/chat/completions`, {
      model: "qwen3",
      messages,
      tools,
    });
    if (/"(routed_experts|indexer_topk)"/.test(text)) repliesWithPayload += 1;
    const message = firstMessage(text);
    messages.push(message);
    onTurn();
    for (const call of message.tool_calls ?? []) {
      const content = callTool(workspace, call.function.name, call.function.arguments);
      messages.push({ role: "tool", tool_call_id: call.id, content });
    }
    if (message.tool_calls !== null) continue;
    const task = furtherTasks.shift();
    if (task === undefined) {
      const solved = message.content.includes(grossAmount(workspace));
      const { client } = workspace;
      return {
        agentIndex,
        client,
        sessionId,
        turns,
        answer: message.content,
        solved,
        repliesWithPayload,
      };
    }
    messages.push({ role: "user", content: task });
  }
  throw new Error(`agent ${agentIndex + 1} found no answer in ${turnsMax} turns`);
}

function firstMessage(reply: string): AssistantMessage {
  const { choices } = JSON.parse(reply) as { choices: { message: AssistantMessage }[] };
  const [choice] = choices;
  if (choice === undefined) throw new Error(`a reply without choices: ${reply.slice(0, 200)}`);
  return choice.message;
}

async function post(url: string, body: object | null): Promise<string> {
  const response = await fetch(url, {
    method: "POST",
    ...(body === null ? {} : { body: JSON.stringify(body) }),
    headers: { "content-type": "application/json" },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${url} answered ${response.status}: ${text}`);
  return text;
}
