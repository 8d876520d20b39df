import { describe, expect, test } from "bun:test";
import { RecordsTickets } from "../../src/http/records-ticket.ts";
import { recordsTicketMs } from "../../src/limits.ts";

const tickets = new RecordsTickets("token");
const now = 1_700_000_000_000;

describe("RecordsTickets.admits()", () => {
  test("what was made for the session, in any process with the same token", () => {
    const query = tickets.queryFor("s/1 é", now);
    expect(tickets.admits("s/1 é", query, now)).toBe(true);
    expect(new RecordsTickets("token").admits("s/1 é", query, now)).toBe(true);
  });

  test("until it expires, and not a millisecond longer", () => {
    const query = tickets.queryFor("s", now);
    expect(tickets.admits("s", query, now + recordsTicketMs)).toBe(true);
    expect(tickets.admits("s", query, now + recordsTicketMs + 1)).toBe(false);
  });

  test("neither another session's, another token's, nor one that was changed", () => {
    const query = tickets.queryFor("s", now);
    expect(tickets.admits("t", query, now)).toBe(false);
    expect(new RecordsTickets("other").admits("s", query, now)).toBe(false);
    const later = query.replace(String(now + recordsTicketMs), String(now + recordsTicketMs + 1));
    expect(later).not.toBe(query);
    expect(tickets.admits("s", later, now)).toBe(false);
    const last = query.at(-1) === "0" ? "1" : "0";
    expect(tickets.admits("s", query.slice(0, -1) + last, now)).toBe(false);
  });

  test("nor one that has another session's id in its expiry", () => {
    const [, rest = ""] = tickets.queryFor("1\ns", now).split("=");
    expect(tickets.admits("s", `ticket=1%0A${rest}`, now)).toBe(false);
  });

  test.each([
    "",
    "ticket=",
    "ticket=1",
    "ticket=.00",
    "ticket=1.zz",
    "x",
    `a=1&${tickets.queryFor("s", now)}`,
  ])("not %p", (query) => expect(tickets.admits("s", query, now)).toBe(false));
});

test("RecordsTickets.queryFor() tells nothing of the token", () => {
  expect(tickets.queryFor("s", now)).toMatch(/^ticket=\d+\.[\da-f]{64}$/);
});
