/**
 * What may stand in a setting, as text: the rules that the command line and library callers share.
 *
 * Contract   `accepted` completes the sentence "expected ..."; `accepts` holds a text against it.
 * Not here   names and defaults (config.ts, cli/settings.ts), relations between settings
 *            (config.ts).
 */
import { authTokenCharactersMax, workerCountMax } from "./limits.ts";

export interface Acceptance {
  /** Completes the sentence "expected ...". */
  readonly accepted: string;
  accepts(text: string): boolean;
}

export const workerCount: Acceptance = wholeNumber(1, workerCountMax);

export const tcpPort: Acceptance = wholeNumber(0, 65_535);

/** 0 is never; the longest is a day, above which nobody waits. */
export const keepAliveSeconds: Acceptance = wholeNumber(0, 86_400);

export const hostName: Acceptance = {
  accepted: "a host name or an IP address",
  accepts: (text) => /^[^\s/]+$/.test(text),
};

export const jsonObject: Acceptance = {
  accepted: 'a JSON object such as {"enable_thinking": false}',
  accepts: isJsonObject,
};

/** What can stand behind "Authorization: Bearer". */
export const authToken: Acceptance = {
  accepted: `1 to ${authTokenCharactersMax} visible ASCII characters`,
  accepts: (text) => /^[\x21-\x7e]+$/.test(text) && text.length <= authTokenCharactersMax,
};

export const instanceId: Acceptance = {
  accepted: "32 lower-case hex digits",
  accepts: (text) => /^[0-9a-f]{32}$/.test(text),
};

export const checkpoint: Acceptance = {
  accepted: "a directory with a tokenizer, or a name on the hub such as Qwen/Qwen3-8B",
  accepts: (text) => text !== "",
};

export const readableFile: Acceptance = {
  accepted: "a readable file",
  accepts: (text) => text !== "",
};

export const pathList: Acceptance = {
  accepted:
    'paths such as v1/models, beginnings such as v1/*, separated by commas; "none" for nothing',
  accepts: (text) => text === "none" || text.split(",").every(isProxyPath),
};

/** A star ends a path or is no wildcard at all; an escape would never match a decoded path. */
export function isProxyPath(path: string): boolean {
  return /^\/?(?!$)[^\s,*?#%\\]*\*?$/.test(path);
}

/** @param standIn a word that is accepted in place of a URL */
export function backendUrl(standIn: string): Acceptance {
  return {
    accepted: `an http:// or https:// URL without query, or "${standIn}"`,
    accepts: (text) => text === standIn || isBackendUrl(text),
  };
}

export function oneOf(values: readonly string[]): Acceptance {
  return {
    accepted: `one of ${values.join(", ")}`,
    accepts: (text) => values.includes(text),
  };
}

/** Digits only: no sign, exponent, fraction or blank. */
function wholeNumber(minimum: number, maximum: number): Acceptance {
  return {
    accepted: `a whole number from ${minimum} to ${maximum}`,
    accepts: (text) => /^\d{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum,
  };
}

function isBackendUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    (url.protocol === "http:" || url.protocol === "https:") &&
    url.search === "" &&
    url.hash === ""
  );
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
