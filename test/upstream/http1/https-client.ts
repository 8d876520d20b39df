/**
 * Sends one request to each URL of its arguments and prints what came back, a line each.
 */
import { errorText } from "../../../src/errors.ts";
import { Http1Client } from "../../../src/upstream/http1/http1-client.ts";

for (const url of process.argv.slice(2)) {
  const client = new Http1Client(url);
  const body = new Uint8Array(3_000_000);
  try {
    const response = await client.send({ method: "POST", target: "/", headers: [], body });
    let byteLength = 0;
    for await (const chunk of response.body) byteLength += chunk.length;
    console.log(`${response.status} ${byteLength}`);
  } catch (error) {
    console.log(errorText(error));
  }
}
