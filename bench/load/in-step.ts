/**
 * Sessions that advance together: every session has its turn 10 before one of them has its turn 11.
 *
 * Contract   one chat at a time, so that its time holds no waiting for another one. The processor
 *            time of a turn is what the server's processes used from the first request of a step
 *            to its last reply, divided by its chats: what garbage collection took is spread over
 *            them. A session that failed is left out from then on.
 */
import type { GroupCpuClock } from "../process/cpu-clock.ts";
import type { Agent } from "./agent.ts";

/** @returns nanoseconds of processor time of one chat at each turn; NaN where nothing is known */
export async function chatInStep(
  agents: readonly Agent[],
  turns: number,
  clock: Pick<GroupCpuClock, "nanoseconds">,
  onTurn: () => void,
): Promise<number[]> {
  const cpuNsByTurn: number[] = [];
  let going = agents;
  for (let turnIndex = 0; turnIndex < turns; turnIndex += 1) {
    const failed = new Set<Agent>();
    const startedAt = clock.nanoseconds();
    for (const agent of going) {
      if (await agent.tryTurn(turnIndex, turns)) onTurn();
      else failed.add(agent);
    }
    cpuNsByTurn.push((clock.nanoseconds() - startedAt) / going.length);
    going = going.filter((agent) => !failed.has(agent));
  }
  return cpuNsByTurn;
}
