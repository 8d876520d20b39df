/**
 * One load process: carries out the harness's commands one after the other. Argument: the directory
 * of the workload.
 */
import { GroupCpuClock } from "../process/cpu-clock.ts";
import { loadWorkload, type Workload } from "../workload/workload.ts";
import { Agent } from "./agent.ts";
import { receiveAndDrop } from "./direct.ts";
import { chatInStep } from "./in-step.ts";
import type { LoadCommand, LoadReport } from "./messages.ts";
import { readRecords } from "./records-reader.ts";
import { emptyChatTally, emptyRecordsTally } from "./tally.ts";

/** Milliseconds between reports of progress. */
const progressMs = 200;

class LoadProcess {
  readonly #workload: Workload;
  #tally = emptyChatTally();
  #agents: Agent[] = [];
  #isStopped = false;

  constructor(workload: Workload) {
    this.#workload = workload;
  }

  async carryOut(command: LoadCommand): Promise<void> {
    switch (command.kind) {
      case "create":
        return await this.#create(command.url, command.sessionIndices);
      case "chat":
        return await this.#chat(async (onTurn) => {
          await Promise.all(this.#agents.map((agent) => agent.chat(onTurn, command.turns)));
          return [];
        });
      case "chatInStep": {
        const { turns, serverPids } = command;
        const clock = new GroupCpuClock(serverPids);
        return await this.#chat((onTurn) => chatInStep(this.#agents, turns, clock, onTurn));
      }
      case "delete":
        return await this.#delete();
      case "records": {
        this.#isStopped = false;
        const tally = emptyRecordsTally();
        await readRecords(command.reading, tally, () => this.#isStopped);
        return report({ kind: "read", tally });
      }
      case "stop":
        this.#isStopped = true;
        return;
      case "direct": {
        const tally = await receiveAndDrop(this.#workload, command);
        return report({ kind: "received", tally });
      }
    }
  }

  async #create(url: string, sessionIndices: readonly number[]): Promise<void> {
    for (const agent of this.#agents) agent.close();
    const tally = emptyChatTally();
    const agents = sessionIndices.map((index) => new Agent(this.#workload, index, url, tally));
    const created = await Promise.all(agents.map((agent) => agent.createSession()));
    this.#tally = tally;
    this.#agents = agents.filter((_, index) => created[index]);
    const lost = agents.length - this.#agents.length;
    tally.notAttempted += lost * this.#workload.replies.length;
    report({ kind: "created", sessionIds: this.#agents.map((agent) => agent.sessionId) });
  }

  /** @param chats resolves to the processor time of a chat at each turn, where it is known */
  async #chat(chats: (onTurn: () => void) => Promise<number[]>): Promise<void> {
    let turns = 0;
    const timer = setInterval(() => {
      report({ kind: "progress", turns });
      turns = 0;
    }, progressMs);
    const cpuNsByTurn = await chats(() => {
      turns += 1;
    });
    clearInterval(timer);
    report({ kind: "progress", turns });
    report({ kind: "chatted", tally: this.#tally, cpuNsByTurn });
  }

  async #delete(): Promise<void> {
    const tally = emptyChatTally();
    await Promise.all(this.#agents.map((agent) => agent.deleteSession(tally)));
    for (const agent of this.#agents.splice(0)) agent.close();
    report({ kind: "deleted", failures: tally.failures });
  }
}

function report(message: LoadReport): void {
  process.send?.(message);
}

if (import.meta.main) {
  const load = new LoadProcess(await loadWorkload(process.argv[2] ?? ""));
  process.on("message", (command: LoadCommand) => {
    load.carryOut(command).catch((error: unknown) => {
      report({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
    });
  });
  report({ kind: "ready" });
}
