import { describe, expect, test } from "bun:test";
import { specialNames } from "../../src/chat-template/special-names.ts";
import { printed } from "./rendering.ts";

describe("specialNames", () => {
  test("are private names of Python's own", () => {
    for (const name of specialNames) expect(name).toMatch(/^__[a-z_]+__$/);
  });

  test("hide the keys of a dict, other private names do not", () => {
    const variables = '{"d": {"__class__": 1, "__mine__": 2, "_own": 3}}';
    expect(printed("[d.__class__ is defined, d.__mine__, d._own, d['__class__']]", variables)).toBe(
      "[False, 2, 3, 1]",
    );
  });
});
