import { expect, test } from "bun:test";
import { EngineError, errorBody } from "../../src/mock-engine/engine-error.ts";

test("EngineError is a bad request unless it says otherwise", () => {
  expect(new EngineError("no").status).toBe(400);
  expect(new EngineError("no", 413).status).toBe(413);
});

test("errorBody() has the members of SGLang's error replies, in its order", () => {
  expect(errorBody('a "b"', 400)).toBe(
    '{"object":"error","message":"a \\"b\\"","type":"BadRequestError","param":null,"code":400}',
  );
  expect(errorBody("a", 503)).toContain('"type":"InternalServerError","param":null,"code":503');
});
