import { describe, expect, test } from "bun:test";
import { asTarget } from "../../src/chat-template/assignment-target.ts";
import { failure, render } from "./rendering.ts";

describe("asTarget()", () => {
  test("takes names and tuples of names", () => {
    const name = { kind: "name", line: 1, name: "a" } as const;
    expect(asTarget({ kind: "tuple", line: 1, items: [name] })).toEqual({
      kind: "tuple",
      line: 1,
      items: [name],
    });
    expect(render("{% set (a, (b, c)) = (1, (2, 3)) %}{{ a }}{{ b }}{{ c }}")).toBe("123");
  });

  test.each(["{% set 1 = x %}", "{% set none = x %}", "{% for 'a' in x %}{% endfor %}"])(
    "rejects %s",
    (source) => {
      expect(failure(() => render(source)).reason).toStartWith("can't assign to");
    },
  );
});
