/**
 * An assistant message that is put together from the items of a response.
 *
 * A reply is one message of a chat, and several items of a response: reasoning, text, calls. Items
 * that follow each other belong to one reply until something shows that the next one has begun.
 *
 * Contract   items come in the order of the input. Calls of one turn are one reply, also where a
 *            client put the results of the first between them.
 */
import type { JsonObject } from "../../json/values.ts";
import { object } from "../members.ts";

export class AssistantDraft {
  readonly #finished: JsonObject[] = [];
  #reasoning: string | null = null;
  #content: string | null = null;
  #calls: JsonObject[] = [];
  /** Turn of the open draft's latest call, as its id tells; null when unknown. */
  #turnId: string | null = null;
  /** The latest finished reply, as long as nothing but results of its calls came after it. */
  #latest: { readonly calls: JsonObject[]; readonly turnId: string | null } | null = null;

  addReasoning(text: string): void {
    // Reasoning comes first in a reply.
    if (this.#content !== null || this.#calls.length > 0) this.#finish();
    this.#reasoning = (this.#reasoning ?? "") + text;
  }

  addContent(text: string): void {
    if (this.#content !== null) this.#finish();
    this.#content = text;
  }

  addCall(call: JsonObject, turnId: string | null): void {
    const isLate = !this.#isOpen && turnId !== null && this.#latest?.turnId === turnId;
    if (isLate) this.#latest?.calls.push(call);
    else {
      this.#calls.push(call);
      this.#turnId = turnId;
    }
  }

  /** The result of a call. */
  addResult(message: JsonObject): void {
    this.#finish();
    this.#finished.push(message);
  }

  /** Any other message. */
  addMessage(message: JsonObject): void {
    this.#finish();
    this.#latest = null;
    this.#finished.push(message);
  }

  messages(): JsonObject[] {
    this.#finish();
    return this.#finished;
  }

  get #isOpen(): boolean {
    return this.#reasoning !== null || this.#content !== null || this.#calls.length > 0;
  }

  #finish(): void {
    if (!this.#isOpen) return;
    const calls = this.#calls;
    this.#finished.push(
      object({
        role: "assistant",
        content: this.#content ?? "",
        reasoning_content: this.#reasoning ?? undefined,
        tool_calls: calls.length === 0 ? undefined : calls,
      }),
    );
    this.#latest = calls.length === 0 ? null : { calls, turnId: this.#turnId };
    this.#reasoning = null;
    this.#content = null;
    this.#calls = [];
    this.#turnId = null;
  }
}
