/**
 * One agent: chats in a session, retries, leaves in the middle, reads its records, deletes and
 * starts again; and holds the server to its model at every step.
 */
import type { FlakyBackend } from "./flaky-backend.ts";
import { Random } from "./random.ts";
import { type History, messagesAfter, recognize, type SessionDump } from "./session-model.ts";

const actions = {
  chat: 70,
  retry: 6,
  "leave while the backend thinks": 5,
  "leave while asking": 3,
  "two at once": 3,
  "read records": 6,
  relay: 3,
  "delete and start again": 4,
} as const;
export type Action = keyof typeof actions;

/** A conversation ends here, so that bodies stay small and many sessions are seen. */
const turnsMax = 12;

/** Looks at a session before a turn that must appear counts as lost: ten seconds. */
const looksMax = 500;

/** Statuses by which the server or the backend may refuse a chat. */
const refusals = [429, 500, 502, 503];

export interface AgentHost {
  readonly url: string;
  readonly backend: FlakyBackend;
  /** Counts what was done. */
  did(action: Action): void;
  /** Something was not as it must be. */
  violated(violation: string): void;
}

export class Agent {
  readonly #host: AgentHost;
  readonly #random: Random;
  readonly #name: string;
  #sessionId = "";
  #history: History = [];
  #tickets = 0;

  constructor(host: AgentHost, name: string, seed: number) {
    this.#host = host;
    this.#name = name;
    this.#random = new Random(seed);
  }

  async start(): Promise<void> {
    const response = await fetch(`${this.#host.url}/sessions`, { method: "POST" });
    const { session_id } = (await response.json()) as { session_id: string };
    this.#sessionId = session_id;
    this.#history = [];
  }

  /** Does one thing, as chance has it. */
  async act(): Promise<void> {
    const tooLong = this.#history.length >= turnsMax;
    const action = tooLong ? "delete and start again" : this.#random.pick(actions);
    this.#host.did(action);
    switch (action) {
      case "chat":
        return this.#chat(this.#history);
      case "retry":
        return this.#chat(this.#history.slice(0, -1));
      case "leave while the backend thinks":
        return this.#leaveWhileTheBackendThinks();
      case "leave while asking":
        return this.#leaveWhileAsking();
      case "two at once":
        return this.#twoAtOnce();
      case "read records":
        return this.check();
      case "relay":
        return this.#relay();
      case "delete and start again":
        await this.end();
        return this.start();
    }
  }

  /** The records must be what the model says. */
  async check(): Promise<void> {
    await this.#settle([this.#history]);
  }

  /** Checks a last time and deletes; a deleted session is gone for every request. */
  async end(): Promise<void> {
    await this.check();
    const { status } = await this.#fetch("", { method: "DELETE" });
    const again = await this.#fetch("", { method: "DELETE" });
    const chat = await this.#ask([], this.#ticket());
    if (status !== 204 || again.status !== 404 || chat.status !== 404) {
      this.#violated(`deleted with ${status}, then ${again.status}, then chat ${chat.status}`);
    }
  }

  /** A single turn that the backend takes its time for, through the whole run. */
  async waitFor(milliseconds: number): Promise<void> {
    const ticket = this.#ticket();
    this.#host.backend.keepWaiting(ticket, milliseconds);
    const { status } = await this.#ask(this.#history, ticket);
    if (status !== 200) this.#violated(`a turn of ${milliseconds} ms ended with ${status}`);
    this.#history = this.#after(this.#history, ticket) ?? this.#history;
    await this.check();
  }

  /** A turn upon `base`: the whole history, or all but its last turn for a retry. */
  async #chat(base: History): Promise<void> {
    const ticket = this.#ticket();
    const { status, text } = await this.#ask(base, ticket);
    const next = this.#after(base, ticket);
    if (status === 200) {
      if (next === null || !text.includes(`answer to ${ticket}`)) {
        this.#violated(`200 for ${ticket}, which was not answered so: ${text.slice(0, 200)}`);
      }
      this.#history = next ?? this.#history;
    } else if (!refusals.includes(status)) {
      this.#violated(`a chat was answered ${status}: ${text.slice(0, 200)}`);
    }
  }

  /** The turn goes on, and is stored when the backend has answered well. */
  async #leaveWhileTheBackendThinks(): Promise<void> {
    const ticket = this.#ticket();
    const leaving = new AbortController();
    const base = this.#history;
    const asked = this.#ask(base, ticket, leaving.signal).catch(() => null);
    await this.#host.backend.arrival(ticket);
    leaving.abort();
    await asked;
    await this.#host.backend.decision(ticket);
    const stored = this.#after(base, ticket);
    if (stored !== null) await this.#untilStored(base, stored);
  }

  async #leaveWhileAsking(): Promise<void> {
    const { hostname, port } = new URL(this.#host.url);
    const left = Promise.withResolvers<void>();
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: { data() {}, close: () => left.resolve() },
    });
    const path = `/sessions/${this.#sessionId}/v1/chat/completions`;
    socket.write(`POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n{"messages":[`);
    socket.terminate();
    await left.promise;
  }

  /** One of them is stored, whichever returned first. */
  async #twoAtOnce(): Promise<void> {
    const base = this.#history;
    const tickets = [this.#ticket(), this.#ticket()];
    await Promise.all(tickets.map((ticket) => this.#ask(base, ticket)));
    const possible = tickets
      .map((ticket) => this.#after(base, ticket))
      .filter((one) => one !== null);
    await this.#settle(possible.length === 0 ? [base] : possible);
  }

  async #relay(): Promise<void> {
    const { status, text } = await this.#fetch("/v1/models", {});
    if (status !== 200 || text !== "relayed") this.#violated(`relayed with ${status} ${text}`);
  }

  /** Takes the history that the records show, which must be one of those given. */
  async #settle(possible: readonly History[]): Promise<void> {
    const { status, text } = await this.#fetch("", {});
    if (status !== 200) return this.#violated(`records were answered ${status}`);
    const seen = recognize(JSON.parse(text) as SessionDump, possible);
    if ("violation" in seen) return this.#violated(seen.violation);
    this.#history = seen.history;
  }

  /** Nobody is told when a turn is stored whose client has left, but it must be, and as a whole. */
  async #untilStored(before: History, after: History): Promise<void> {
    for (let looks = 0; this.#history !== after; looks++) {
      await this.#settle([before, after]);
      if (looks > looksMax)
        return this.#violated("a turn was not stored after its client had left");
      if (this.#history !== after) await Bun.sleep(20);
    }
  }

  #after(base: History, ticket: string): History | null {
    const generation = this.#host.backend.generation(ticket);
    return generation === null ? null : [...base, { ticket, generation }];
  }

  #ask(base: History, ticket: string, signal?: AbortSignal) {
    const body = JSON.stringify({ model: "m", messages: messagesAfter(base, ticket) });
    const init = { method: "POST", body, ...(signal === undefined ? {} : { signal }) };
    return this.#fetch("/v1/chat/completions", init);
  }

  async #fetch(path: string, init: RequestInit): Promise<{ status: number; text: string }> {
    const response = await fetch(`${this.#host.url}/sessions/${this.#sessionId}${path}`, {
      ...init,
      timeout: false,
    } as BunFetchRequestInit);
    return { status: response.status, text: await response.text() };
  }

  #ticket(): string {
    return `${this.#name}/${this.#tickets++}`;
  }

  #violated(violation: string): void {
    this.#host.violated(`${this.#name}, session ${this.#sessionId}: ${violation}`);
  }
}
