/**
 * A checkpoint that the hub does not give: it is not there, may not be read, or cannot be reached.
 * The message says what was asked where, what came back, and what to do about it.
 */
export class HubError extends Error {
  override readonly name = "HubError";
  /** Whether asking again may help. */
  readonly mayPass: boolean;

  constructor(message: string, options: ErrorOptions & { mayPass?: boolean } = {}) {
    super(message, options);
    this.mayPass = options.mayPass ?? false;
  }
}
