import { expect, test } from "bun:test";
import { InvalidRequestError } from "../../src/errors.ts";
import { RenderError, renderForClient } from "../../src/tito/render-error.ts";

function messageOf(error: Error): string {
  const run = () =>
    renderForClient(
      () => {
        throw error;
      },
      (index) => index + 10,
    );
  expect(run).toThrow(InvalidRequestError);
  try {
    run();
  } catch (thrown) {
    return (thrown as Error).message;
  }
  return "";
}

test("renderForClient() puts the client's index before the reason", () => {
  expect(messageOf(new RenderError(2, ".content is odd"))).toBe("messages[12].content is odd");
});

test("renderForClient() leaves a reason without index alone", () => {
  expect(messageOf(new RenderError(null, "tools must be a list"))).toBe("tools must be a list");
});

test("renderForClient() lets bugs of ours through as they are", () => {
  const bug = new Error("bug");
  const run = () =>
    renderForClient(
      () => {
        throw bug;
      },
      (index) => index,
    );
  expect(run).toThrow(bug);
});
