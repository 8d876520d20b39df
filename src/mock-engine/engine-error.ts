/**
 * A request that the engine rejects, in the shape of SGLang's error replies:
 * `{"object":"error","message":...,"type":...,"param":null,"code":...}`.
 */

export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

export function errorBody(message: string, status: number): string {
  const type = status < 500 ? "BadRequestError" : "InternalServerError";
  return JSON.stringify({ object: "error", message, type, param: null, code: status });
}
