// spec: docs/ipc-protocol.md, "Lanes"
/**
 * Bodies that a worker has announced and that wait for their lane.
 *
 * Contract   a token is random and works once. A body that is not claimed is released: when the
 *            channel that announced it closes, or after laneClaimMs.
 */
import { laneClaimMs } from "../limits.ts";
import { releaseBody, type StreamBody } from "../stream-body.ts";
import { type LaneToken, mintLaneToken } from "./lane-token.ts";

interface Offer {
  readonly body: StreamBody;
  /** The channel that announced it. */
  readonly announcer: object;
  readonly deadline: ReturnType<typeof setTimeout>;
}

export class LaneOffers {
  readonly #offers = new Map<LaneToken, Offer>();
  readonly #claimMs: number;

  constructor(claimMs = laneClaimMs) {
    this.#claimMs = claimMs;
  }

  get count(): number {
    return this.#offers.size;
  }

  offer(body: StreamBody, announcer: object): LaneToken {
    const token = mintLaneToken();
    const deadline = setTimeout(() => this.#release(token), this.#claimMs);
    deadline.unref();
    this.#offers.set(token, { body, announcer, deadline });
    return token;
  }

  /** The body of `token`, which is the caller's from now on; null when there is none. */
  claim(token: LaneToken): StreamBody | null {
    const offer = this.#offers.get(token);
    if (offer === undefined) return null;
    this.#offers.delete(token);
    clearTimeout(offer.deadline);
    return offer.body;
  }

  /** Releases what a channel announced and nobody claimed. */
  releaseAnnouncedBy(announcer: object): void {
    for (const [token, offer] of this.#offers) {
      if (offer.announcer === announcer) this.#release(token);
    }
  }

  #release(token: LaneToken): void {
    const body = this.claim(token);
    if (body !== null) releaseBody(body);
  }
}
