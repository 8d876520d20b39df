/**
 * A session as a test sees it: turns, and what the server holds of them.
 */

export interface SeenReply {
  readonly status: number;
  readonly text: string;
}

interface Dump {
  readonly records: { request_timestamp?: number; timestamp?: number }[];
  readonly metadata: { accumulated_token_ids: number[] };
}

const user = (content: string) => ({ role: "user", content });

export class Session {
  readonly id: string;
  readonly url: string;

  private constructor(serverUrl: string, id: string) {
    this.id = id;
    this.url = `${serverUrl}/sessions/${id}`;
  }

  static async create(serverUrl: string, headers: Record<string, string> = {}): Promise<Session> {
    const created = await fetch(`${serverUrl}/sessions`, { method: "POST", headers });
    const { session_id } = (await created.json()) as { session_id: string };
    return new Session(serverUrl, session_id);
  }

  /** The first turn, or a retry of it. */
  chat(content: string): Promise<SeenReply> {
    return this.converse([user(content)]);
  }

  /** The turn after a first one that was answered "fine". */
  chatOn(content: string): Promise<SeenReply> {
    return this.converse([user("a"), { role: "assistant", content: "fine" }, user(content)]);
  }

  converse(messages: readonly unknown[]): Promise<SeenReply> {
    return this.send("POST", "v1/chat/completions", JSON.stringify({ messages }));
  }

  async send(method: string, path: string, body?: string): Promise<SeenReply> {
    const response = await fetch(`${this.url}/${path}`, {
      method,
      redirect: "manual",
      // A connection of its own: none is held open between requests.
      keepalive: false,
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, text: await response.text() };
  }

  async dump(): Promise<Dump> {
    return (await (await fetch(this.url)).json()) as Dump;
  }

  async recordCount(): Promise<number> {
    return (await this.dump()).records.length;
  }
}
