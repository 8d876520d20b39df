/**
 * Sends one request and has nothing to do then but an idle connection.
 */
import { Http1Client } from "../../../src/upstream/http1/http1-client.ts";

const client = new Http1Client(process.argv[2] ?? "");
await client.send({ method: "GET", target: "/", headers: [], body: new Uint8Array(0) });
console.log("answered");
