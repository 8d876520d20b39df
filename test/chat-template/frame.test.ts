import { describe, expect, test } from "bun:test";
import { typeError } from "../../src/chat-template/errors.ts";
import { broken, capture, completed, Frame, RenderState } from "../../src/chat-template/frame.ts";
import { templateIterationsMax } from "../../src/limits.ts";
import { failure } from "./rendering.ts";

describe("capture()", () => {
  test("takes what a body prints aside and restores the output", () => {
    const frame = new Frame(new RenderState([]), null, 0);
    frame.output = "before";
    const { text, completion } = capture(frame, (inner) => {
      inner.output += "inside";
      return completed;
    });
    expect([text, completion, frame.output]).toEqual(["inside", completed, "before"]);
  });

  test("drops what a body printed that broke out, errors of output included", () => {
    const frame = new Frame(new RenderState([]), null, 0);
    const { text } = capture(frame, (inner) => {
      inner.output += "inside";
      inner.outputError = typeError("no text");
      return broken;
    });
    expect([text, frame.output, frame.outputError]).toEqual(["", "", null]);
  });
});

describe("RenderState", () => {
  test("bounds the depth of calls", () => {
    const state = new RenderState([]);
    const nest = (): string =>
      state.call(new Frame(state, null, 0), () => {
        nest();
        return completed;
      });
    expect(failure(nest).reason).toBe("depth of macro calls exceeds the bound of this engine");
  });

  test("bounds the iterations of all loops together", () => {
    const state = new RenderState([]);
    for (let count = 0; count < templateIterationsMax; count += 1) state.countIteration();
    expect(failure(() => state.countIteration()).reason).toStartWith("number of loop iterations");
  });
});
