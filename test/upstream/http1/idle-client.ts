/**
 * Sends one request and has nothing to do then but a connection that idles.
 *
 * argv: URL of the server, milliseconds that the connection may idle.
 */
import { ConnectionPool } from "../../../src/upstream/http1/connection-pool.ts";
import { parseOrigin } from "../../../src/upstream/http1/origin.ts";

const [url = "", idleMs] = process.argv.slice(2);
const connection = await new ConnectionPool(parseOrigin(url), Number(idleMs)).acquire();
const head = Buffer.from("GET / HTTP/1.1\r\nhost: h\r\n\r\n");
await connection.exchange({ method: "GET", head, body: new Uint8Array(0) });
console.log("answered");
