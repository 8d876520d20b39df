import { describe, expect, test } from "bun:test";
import { LoopContext } from "../../src/chat-template/loop-context.ts";
import { Tuple } from "../../src/chat-template/values.ts";
import { failure, render } from "./rendering.ts";

describe("LoopContext", () => {
  test("knows its place and its neighbours", () => {
    const fields = "index index0 revindex revindex0 first last length".split(" ");
    const source = `{% for x in 'ab' %}${fields.map((field) => `{{ loop.${field} }} `).join("")}|{% endfor %}`;
    expect(render(source)).toBe("1 0 2 1 True False 2 |2 1 1 0 False True 2 |");
    expect(
      render("{% for x in [none, 1] %}{{ loop.previtem }}.{{ loop.nextitem }}|{% endfor %}"),
    ).toBe(".1|None.|");
  });

  test("looks one item ahead of an iterator, and takes no more", () => {
    const source = [1, 2, 3].values();
    const loop = new LoopContext(source);
    expect([loop.advance(), loop.attribute("last"), loop.attribute("nextitem")]).toEqual([
      1,
      false,
      2,
    ]);
    expect(source.next().value).toBe(3);
    expect([loop.advance(), loop.attribute("last")]).toEqual([2, true]);
    expect(loop.advance()).toBeUndefined();
  });

  test("counts an iterator by taking all of it", () => {
    const loop = new LoopContext([1, 2, 3].values());
    loop.advance();
    loop.attribute("last");
    expect(loop.length()).toBe(3);
    expect([loop.advance(), loop.advance(), loop.advance()]).toEqual([2, 3, undefined]);
  });

  test("cycles, and tells changes", () => {
    const source =
      "{% for x in [1, 1, 2] %}{{ loop.cycle('a', 'b') }}{{ loop.changed(x, 'k') }} {% endfor %}";
    expect(render(source)).toBe("aTrue bFalse aTrue ");
    expect(failure(() => render("{% for x in [1] %}{{ loop.cycle() }}{% endfor %}")).reason).toBe(
      "no items for cycling given",
    );
  });

  test("gives its own items away when it is iterated", () => {
    const loop = new LoopContext([1, 2]);
    const [first] = [...{ [Symbol.iterator]: () => loop.iterator() }];
    expect(first).toEqual(new Tuple([1, loop]));
    expect(loop.advance()).toBeUndefined();
  });
});
