import { describe, expect, test } from "bun:test";
import { parseOrigin } from "../../../src/upstream/http1/origin.ts";

describe("parseOrigin()", () => {
  test.each([
    ["http://h", { hostname: "h", port: 80, host: "h", basePath: "", isSecure: false }],
    ["http://H:8000/", { hostname: "h", port: 8000, host: "h:8000", basePath: "" }],
    ["https://h/a/b//", { port: 443, host: "h", basePath: "/a/b", isSecure: true }],
    ["https://h:80", { port: 80, host: "h:80" }],
    ["http://[::1]:80/", { hostname: "::1", port: 80, host: "[::1]" }],
    ["http://[::1]:81/x", { hostname: "::1", port: 81, host: "[::1]:81", basePath: "/x" }],
  ])("of %s", (url, expected) => {
    expect(parseOrigin(url)).toMatchObject(expected);
  });

  test("makes Basic credentials of a user and password", () => {
    const { authorization, host } = parseOrigin("http://us%3Aer:p%C3%A9@h:1");
    expect(host).toBe("h:1");
    expect(authorization).toBe(`Basic ${Buffer.from("us:er:pé").toString("base64")}`);
    expect(parseOrigin("http://h").authorization).toBeNull();
  });

  test.each(["", "h:80", "ftp://h", "unix:/a"])("refuses %j", (url) => {
    expect(() => parseOrigin(url)).toThrow("not an http:// or https:// URL");
  });
});
