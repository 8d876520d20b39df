import { expect, test } from "bun:test";
import { checkFault, faultNames, faultStatus } from "../../src/mock-engine/fault.ts";

test("checkFault() takes every name of the table and statuses", () => {
  for (const name of Object.keys(faultNames)) expect(checkFault(name)).toBe(checkFault(name));
  expect(checkFault("status-503")).toBe("status-503");
  expect(checkFault('status-400:{"a":\n1}')).toBe('status-400:{"a":\n1}');
});

test("checkFault() rejects misspelt faults with the list of those there are", () => {
  for (const text of ["", "resett", "status-99", "status-1000", "status", "toString"]) {
    expect(() => checkFault(text)).toThrow(/there are status-<code>, .*reset, .*stalled/);
  }
});

test("faultStatus() gives status and body of status faults only", () => {
  expect(faultStatus("status-503")).toEqual({ status: 503, body: null });
  expect(faultStatus("status-429:slow: down")).toEqual({ status: 429, body: "slow: down" });
  expect(faultStatus("status-500:")).toEqual({ status: 500, body: "" });
  expect(faultStatus("reset")).toBeNull();
});
