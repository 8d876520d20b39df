/**
 * One agent: a session, and its turns one after the other over a connection of its own.
 *
 * Contract   a request that fails is counted, never sent again and never fatal; the session ends
 *            with it, because a history with a hole in it is another workload.
 *            A reply is a success only if it has status 200, is the one of its turn, and carries no
 *            replay payload.
 */
import { formatTurnHeader, turnHeaderName } from "../engine/turn-header.ts";
import { replyId } from "../workload/reply-text.ts";
import { requestBody } from "../workload/request-text.ts";
import type { Workload } from "../workload/workload.ts";
import { HttpClient, RequestError } from "./http-client.ts";
import { addHash, type ChatTally, countFailure } from "./tally.ts";

const jsonHeader = "content-type: application/json";
const payloadName = Buffer.from('"routed_experts"');

export class Agent {
  readonly #workload: Workload;
  readonly #sessionIndex: number;
  readonly #client: HttpClient;
  readonly #tally: ChatTally;
  sessionId = "";

  constructor(workload: Workload, sessionIndex: number, url: string, tally: ChatTally) {
    this.#workload = workload;
    this.#sessionIndex = sessionIndex;
    this.#client = new HttpClient(url);
    this.#tally = tally;
  }

  /** POST /sessions; false when it failed, and was counted. */
  async createSession(): Promise<boolean> {
    try {
      const { status, body } = await this.#request("/sessions", [jsonHeader], []);
      if (status !== 200) throw new RequestError(`create: status ${status}`);
      const created = JSON.parse(body.toString()) as { session_id?: unknown };
      this.sessionId = String(created.session_id ?? "");
      if (this.sessionId === "") throw new RequestError("create: no session_id");
      return true;
    } catch (error) {
      countFailure(this.#tally.failures, kindOf(error));
      return false;
    }
  }

  /** The first `turns` turns of the session, one after the other. */
  async chat(onTurn: () => void, turns = this.#workload.replies.length): Promise<void> {
    const { idleMs } = this.#workload.shape;
    for (let turnIndex = 0; turnIndex < turns; turnIndex += 1) {
      if (!(await this.tryTurn(turnIndex, turns))) return;
      onTurn();
      if (idleMs > 0 && turnIndex < turns - 1) await Bun.sleep(idleMs);
    }
  }

  /**
   * One turn; the ones before it have been taken.
   *
   * @param turns that the session was to have: those after a failure are not tried
   * @returns false when it failed, and was counted
   */
  async tryTurn(turnIndex: number, turns: number): Promise<boolean> {
    try {
      await this.#turn(turnIndex);
      return true;
    } catch (error) {
      countFailure(this.#tally.failures, kindOf(error));
      this.#tally.notAttempted += turns - turnIndex - 1;
      return false;
    }
  }

  /** DELETE of the session; a failure is counted in the given tally. */
  async deleteSession(tally: Pick<ChatTally, "failures">): Promise<void> {
    try {
      const request = { method: "DELETE", path: `/sessions/${this.sessionId}` };
      const { status } = await this.#client.send({ ...request, headers: [], body: [] });
      if (status >= 300) throw new RequestError(`delete: status ${status}`);
    } catch (error) {
      countFailure(tally.failures, kindOf(error));
    }
  }

  close(): void {
    this.#client.close();
  }

  async #turn(turnIndex: number): Promise<void> {
    const tally = this.#tally;
    const reference = { sessionIndex: this.#sessionIndex, turnIndex };
    const headers = [jsonHeader, `${turnHeaderName}: ${formatTurnHeader(reference)}`];
    const body = requestBody(this.#workload.requests, this.#sessionIndex, turnIndex);
    const startedAt = performance.now();
    const path = `/sessions/${this.sessionId}/v1/chat/completions`;
    const reply = await this.#request(path, headers, body);
    const ms = performance.now() - startedAt;
    if (reply.status !== 200) throw new RequestError(`chat: status ${reply.status}`);
    if (!reply.body.includes(replyId(turnIndex))) throw new RequestError("chat: wrong reply");
    if (reply.body.includes(payloadName)) throw new RequestError("chat: replay payload in reply");
    tally.latencies.push([this.#sessionIndex, turnIndex, ms]);
    tally.requestBytes += body.reduce((sum, slice) => sum + slice.length, 0);
    tally.replyBytes += reply.body.length;
    tally.replyHash = addHash(tally.replyHash, Bun.hash.wyhash(reply.body));
  }

  async #request(path: string, headers: readonly string[], body: readonly Uint8Array[]) {
    const chunks: Uint8Array[] = [];
    const { status } = await this.#client.send(
      { method: "POST", path, headers, body },
      (slice) => void chunks.push(slice),
    );
    return { status, body: Buffer.concat(chunks) };
  }
}

export function kindOf(error: unknown): string {
  if (error instanceof RequestError) return error.kind;
  // Not foreseen, but no reason to lose the run: the kind says what it was.
  return `unexpected: ${error instanceof Error ? error.message : String(error)}`;
}
