/**
 * What can go wrong in a template, in the two families that callers tell apart: errors of Jinja's
 * own (`TemplateError`) and errors of the Python operations underneath (`TemplateTypeError`).
 *
 * Contract   `pythonClass` names the exception that Jinja2 under Python raises in the same place;
 *            `reason` is its text where the text is fixed; `template` and `line` are set by the
 *            time an error leaves compileChatTemplate or render.
 */

export abstract class TemplateFailure extends Error {
  readonly pythonClass: string;
  readonly reason: string;
  template = "";
  /** Counts from 1; 0 while unknown. */
  line = 0;

  constructor(pythonClass: string, reason: string) {
    super(reason);
    this.pythonClass = pythonClass;
    this.reason = reason;
  }

  /** Adds the place to the message; the first place, the innermost, stays. */
  locate(template: string, line: number): this {
    if (this.template !== "") return this;
    this.template = template;
    if (this.line === 0) this.line = line;
    this.message = `${this.pythonClass}: ${this.reason} (template ${template}, line ${this.line})`;
    return this;
  }
}

/** jinja2.TemplateError and its subclasses, and the bounds of this engine. */
export class TemplateError extends TemplateFailure {
  override readonly name = "TemplateError";
}

/** Python's TypeError, ValueError and their like: a template met a value it cannot work with. */
export class TemplateTypeError extends TemplateFailure {
  override readonly name = "TemplateTypeError";
}

export function syntaxError(reason: string, line: number): TemplateError {
  const error = new TemplateError("TemplateSyntaxError", reason);
  error.line = line;
  return error;
}

/** A source that parses but cannot mean anything: jinja2.TemplateAssertionError. */
export function templateAssertion(reason: string, line: number): TemplateError {
  const error = new TemplateError("TemplateAssertionError", reason);
  error.line = line;
  return error;
}

/** A construct that Jinja2 has and this engine refuses rather than renders inexactly. */
export function unsupported(construct: string, line: number): TemplateError {
  return syntaxError(`${construct} is not supported by this template engine`, line);
}

export function runtimeError(reason: string): TemplateError {
  return new TemplateError("TemplateRuntimeError", reason);
}

export function filterArgumentError(reason: string): TemplateError {
  return new TemplateError("FilterArgumentError", reason);
}

export function boundExceeded(reason: string): TemplateError {
  return new TemplateError("TemplateRuntimeError", `${reason} exceeds the bound of this engine`);
}

export function typeError(reason: string): TemplateTypeError {
  return new TemplateTypeError("TypeError", reason);
}

export function valueError(reason: string): TemplateTypeError {
  return new TemplateTypeError("ValueError", reason);
}

export function overflowError(reason: string): TemplateTypeError {
  return new TemplateTypeError("OverflowError", reason);
}

export function lookupError(pythonClass: "KeyError" | "IndexError", reason: string) {
  return new TemplateTypeError(pythonClass, reason);
}
