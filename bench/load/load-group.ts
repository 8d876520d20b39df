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
import { addChatTallies, type ChatTally, type RecordsTally } from "./tally.ts";

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
    const indices = Array.from({ length: count }, (_, index) => index);
    const created = await this.#all("created", (memberIndex) => ({
      kind: "create",
      url,
      sessionIndices: indices.filter((index) => index % this.#members.length === memberIndex),
    }));
    return created.flatMap((report) => [...report.sessionIds]);
  }

  /** @param onProgress turns done since it was last called */
  async chat(onProgress: (turns: number) => void): Promise<ChatTally> {
    for (const member of this.#members) member.onProgress = onProgress;
    const chatted = await this.#all("chatted", () => ({ kind: "chat" }));
    return addChatTallies(chatted.map((report) => report.tally));
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

  /** What the first process can receive from the engine. */
  async receiveDirectly(engineUrl: string, way: ReceivingWay): Promise<DirectTally> {
    const [first] = this.#members;
    if (first === undefined) throw new Error("there is no load process");
    const received = first.wait("received");
    first.child.send({ kind: "direct", engineUrl, way } satisfies LoadCommand);
    return (await received).tally;
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
