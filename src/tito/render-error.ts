/**
 * A conversation that cannot be rendered, as data: which message of the rendered list, which part
 * of it, and why. Renderers see a list of their own (with dummy messages before an appended run);
 * only tito-tokenizer.ts knows which of the client's messages an index stands for.
 */
import { InvalidRequestError } from "../errors.ts";

export class RenderError extends Error {
  override readonly name = "RenderError";
  /** Index into the rendered list; null when the fault is not in one message. */
  readonly messageIndex: number | null;

  /** @param reason reads on after "messages[i]" or, without an index, stands alone */
  constructor(messageIndex: number | null, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.messageIndex = messageIndex;
  }
}

/**
 * Runs `render` and reports what it finds wrong to the client.
 *
 * @param clientIndex where message `index` of the rendered list stands in the client's messages
 * @throws InvalidRequestError
 */
export function renderForClient(render: () => string, clientIndex: (index: number) => number) {
  try {
    return render();
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    const place = error.messageIndex === null ? "" : `messages[${clientIndex(error.messageIndex)}]`;
    throw new InvalidRequestError(place + error.message, { cause: error });
  }
}
