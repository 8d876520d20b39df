// spec: docs/ipc-protocol.md, "Lanes"
/**
 * The name of a lane: what a reply announces and a LANE frame claims.
 *
 * Contract   128 random bits; 32 hex digits in the facts of a reply, 16 bytes in a LANE frame.
 * Not here   which tokens are known: lane-offers.ts.
 */
import { EnvelopeError } from "./envelope.ts";

/** 32 lower-case hex digits. */
export type LaneToken = string;

const tokenBytes = 16;

export function mintLaneToken(): LaneToken {
  return crypto.getRandomValues(new Uint8Array(tokenBytes)).toHex();
}

/** A token as a reply names it; EnvelopeError when it cannot be one. */
export function checkLaneToken(text: string): LaneToken {
  if (!/^[0-9a-f]{32}$/.test(text)) throw new EnvelopeError("reply: lane is no token");
  return text;
}

export function encodeLaneToken(token: LaneToken): Uint8Array {
  return Uint8Array.fromHex(token);
}

/** The payload of a LANE frame as a token, of whatever length it came in. */
export function decodeLaneToken(payload: Uint8Array): LaneToken {
  return payload.toHex();
}
