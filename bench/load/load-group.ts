/**
 * The load processes of a run as one: a command goes to all of them, their answers are added up.
 *
 * Contract   one command at a time. A load process that fails or ends rejects the command.
 */
import { join } from "node:path";
import type { ChildProcess, ChildProcesses } from "../process/child-processes.ts";
import type { DirectTally, ReceivingWay } from "./direct.ts";
import type { LoadCommand, LoadReport } from "./messages.ts";
import type { RecordsReading } from "./records-reader.ts";
import { addChatTallies, addFailures, type ChatTally, type RecordsTally } from "./tally.ts";

type ReportOf<Kind extends LoadReport["kind"]> = Extract<LoadReport, { kind: Kind }>;

class LoadMember {
  readonly child: ChildProcess;
  onProgress: (turns: number) => void = () => {};
  #waiting: { kind: string; resolve: (report: LoadReport) => void } | null = null;
  #reject: (error: Error) => void = () => {};
  /** A report that came before it was waited for. */
  #early: LoadReport[] = [];

  constructor(processes: ChildProcesses, name: string, workloadDirectory: string) {
    this.child = processes.start(name, {
      argv: [process.execPath, join(import.meta.dir, "main.ts"), workloadDirectory],
      onMessage: (message) => this.#take(message as LoadReport),
    });
    void this.child.ended.then((how) => {
      this.#reject(new Error(`${name} ended with ${how}: ${this.child.stderr()}`));
    });
  }

  wait<Kind extends LoadReport["kind"]>(kind: Kind): Promise<ReportOf<Kind>> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      this.#waiting = { kind, resolve: (report) => resolve(report as ReportOf<Kind>) };
      for (const report of this.#early.splice(0)) this.#take(report);
    });
  }

  #take(report: LoadReport): void {
    if (report.kind === "progress") {
      this.onProgress(report.turns);
    } else if (report.kind === "failed") {
      this.#reject(new Error(`${this.child.name}: ${report.message}`));
    } else if (this.#waiting?.kind === report.kind) {
      const { resolve } = this.#waiting;
      this.#waiting = null;
      resolve(report);
    } else {
      this.#early.push(report);
    }
  }
}

export interface Chatted {
  readonly tally: ChatTally;
  /** Processor time of a chat at each turn, of chats in step. */
  readonly cpuNsByTurn: readonly number[];
}

export class LoadGroup {
  readonly #members: readonly LoadMember[];

  private constructor(members: readonly LoadMember[]) {
    this.#members = members;
  }

  static async start(
    processes: ChildProcesses,
    processCount: number,
    workloadDirectory: string,
  ): Promise<LoadGroup> {
    const members = Array.from(
      { length: processCount },
      (_, index) => new LoadMember(processes, `load ${index + 1}`, workloadDirectory),
    );
    await Promise.all(members.map((member) => member.wait("ready")));
    return new LoadGroup(members);
  }

  get pids(): number[] {
    return this.#members.map((member) => member.child.pid);
  }

  /** Creates sessions 0 to `count` - 1, dealt out in turn; failures are in the chat's tally. */
  async create(url: string, count: number): Promise<string[]> {
    const created = await this.#all("created", (memberIndex) => ({
      kind: "create",
      url,
      sessionIndices: this.#dealt(count, memberIndex),
    }));
    return created.flatMap((report) => [...report.sessionIds]);
  }

  /** The session numbers of one process, of 0 to `count` - 1. */
  #dealt(count: number, memberIndex: number): number[] {
    const indices = Array.from({ length: count }, (_, index) => index);
    return indices.filter((index) => index % this.#members.length === memberIndex);
  }

  /**
   * @param turns of each session
   * @param onProgress turns done since it was last called
   */
  async chat(turns: number, onProgress: (turns: number) => void): Promise<Chatted> {
    return await this.#chat({ kind: "chat", turns }, onProgress);
  }

  /** One chat at a time, turn by turn; only one process can keep all sessions in step. */
  async chatInStep(
    turns: number,
    serverPids: readonly number[],
    onProgress: (turns: number) => void,
  ): Promise<Chatted> {
    if (this.#members.length !== 1) throw new Error("several load processes are not in step");
    return await this.#chat({ kind: "chatInStep", turns, serverPids }, onProgress);
  }

  async #chat(command: LoadCommand, onProgress: (turns: number) => void): Promise<Chatted> {
    for (const member of this.#members) member.onProgress = onProgress;
    const chatted = await this.#all("chatted", () => command);
    const tally = addChatTallies(chatted.map((report) => report.tally));
    return { tally, cpuNsByTurn: chatted[0]?.cpuNsByTurn ?? [] };
  }

  /** Deletes the created sessions; gives what failed, by kind. */
  async deleteSessions(): Promise<Record<string, number>> {
    const deleted = await this.#all("deleted", () => ({ kind: "delete" }));
    const failures: Record<string, number> = {};
    for (const report of deleted) addFailures(failures, report.failures);
    return failures;
  }

  /** Reads records with the first process, until they are read or `stopReading` is called. */
  async readRecords(reading: RecordsReading): Promise<RecordsTally> {
    const [first] = this.#members;
    if (first === undefined) throw new Error("there is no load process");
    const read = first.wait("read");
    first.child.send({ kind: "records", reading } satisfies LoadCommand);
    return (await read).tally;
  }

  stopReading(): void {
    this.#members[0]?.child.send({ kind: "stop" } satisfies LoadCommand);
  }

  /** What all processes together can receive from the engine in one pass. */
  async receiveDirectly(
    engineUrl: string,
    way: ReceivingWay,
    sessions: number,
  ): Promise<DirectTally> {
    const received = await this.#all("received", (memberIndex) => ({
      kind: "direct",
      engineUrl,
      way,
      sessionIndices: this.#dealt(sessions, memberIndex),
    }));
    const tallies = received.map((report) => report.tally);
    return {
      turns: tallies.reduce((sum, tally) => sum + tally.turns, 0),
      replyBytes: tallies.reduce((sum, tally) => sum + tally.replyBytes, 0),
      wallMs: Math.max(...tallies.map((tally) => tally.wallMs)),
      cpuMs: tallies.reduce((sum, tally) => sum + tally.cpuMs, 0),
    };
  }

  async stop(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.child.stop()));
  }

  async #all<Kind extends LoadReport["kind"]>(
    kind: Kind,
    commandFor: (memberIndex: number) => LoadCommand,
  ): Promise<ReportOf<Kind>[]> {
    const reports = this.#members.map((member) => member.wait(kind));
    for (const [index, member] of this.#members.entries()) member.child.send(commandFor(index));
    return Promise.all(reports);
  }
}
