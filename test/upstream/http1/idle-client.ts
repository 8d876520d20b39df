/**
 * Sends one request, has nothing to do then but an idle connection, and prints when it ends: in
 * milliseconds after the response.
 */
import { Http1Client } from "../../../src/upstream/http1/http1-client.ts";

const client = new Http1Client(process.argv[2] ?? "");
await client.send({ method: "GET", target: "/", headers: [], body: new Uint8Array(0) });
const answeredAt = performance.now();
process.on("exit", () => console.log(Math.round(performance.now() - answeredAt)));
