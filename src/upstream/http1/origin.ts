/**
 * Where a backend is, out of its URL.
 *
 * Contract   a user and password in the URL become Basic credentials, as curl and browsers do.
 * Reports    throws a sentence when the URL is not http:// or https://.
 */

export interface Origin {
  /** A name or an address, without the brackets of IPv6. */
  readonly hostname: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** The Host header: name and, unless it is the scheme's own, port. */
  readonly host: string;
  /** What precedes every path: empty or "/base", without a slash at its end. */
  readonly basePath: string;
  /** The Authorization header that the URL asks for. */
  readonly authorization: string | null;
}

export function parseOrigin(text: string): Origin {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new Error(`not an http:// or https:// URL: ${text}`);
  }
  const isSecure = url.protocol === "https:";
  return {
    hostname: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? (isSecure ? 443 : 80) : Number(url.port),
    isSecure,
    host: url.host,
    basePath: url.pathname.replace(/\/+$/, ""),
    authorization: basicCredentials(url),
  };
}

function basicCredentials({ username, password }: URL): string | null {
  if (username === "" && password === "") return null;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(credentials).toString("base64")}`;
}
