/**
 * Chat templates: Jinja templates rendered as HuggingFace transformers renders them, byte for byte.
 *
 * Contract   compile once, render often: a compiled template holds no state between renders. The
 *            environment is transformers' (ImmutableSandboxedEnvironment, trim_blocks,
 *            lstrip_blocks, loop controls, `generation`, tojson, raise_exception, strftime_now);
 *            values have Python's semantics. What cannot be rendered exactly is refused when
 *            compiled, by name.
 * Errors     `TemplateError` and `TemplateTypeError` of errors.ts, with the template's name and
 *            line.
 * Limits     template...Max of limits.ts: a template comes from a checkpoint and its values from a
 *            client, so neither may take the process down. Each is met with a TemplateError.
 */
import type { JsonValue } from "../json/values.ts";
import { boundExceeded, TemplateFailure } from "./errors.ts";
import { Frame, finishedOutput, RenderState, type Run } from "./frame.ts";
import { parseTemplate } from "./parser.ts";
import { analyzeBody } from "./scope-analysis.ts";
import { Scope } from "./scopes.ts";
import { StatementCompiler } from "./statement-compiler.ts";
import { createGlobals } from "./template-globals.ts";
import { boundedText } from "./text.ts";
import type { Value } from "./values.ts";
import { ContextNames } from "./variables.ts";

export interface ChatTemplateOptions {
  /** What strftime_now takes for now. */
  readonly now?: () => Date;
}

/**
 * @param name stands for the template in errors.
 * @throws TemplateError for what is wrong with the source or not supported.
 */
export function compileChatTemplate(
  source: string,
  name: string,
  options: ChatTemplateOptions = {},
): ChatTemplate {
  const context = new ContextNames();
  const scope = Scope.root();
  const run = located(name, null, () => {
    const statements = parseTemplate(source);
    analyzeBody(scope, statements);
    const compiler = new StatementCompiler(context);
    const enter = compiler.entry(scope);
    const body = compiler.body(statements, { scope, soft: false, inLoop: false });
    return (frame: Frame) => {
      enter(frame);
      return body(frame);
    };
  });
  const globals = createGlobals(options.now ?? (() => new Date()));
  return new ChatTemplate({ name, run, slotCount: scope.unit.slotCount, context, globals });
}

interface CompiledTemplate {
  readonly name: string;
  readonly run: Run;
  readonly slotCount: number;
  readonly context: ContextNames;
  readonly globals: ReadonlyMap<string, Value>;
}

export class ChatTemplate {
  readonly #template: CompiledTemplate;

  constructor(template: CompiledTemplate) {
    this.#template = template;
  }

  /**
   * @param variables the values the template sees by name; they are not changed.
   * @throws TemplateError, TemplateTypeError
   */
  render(variables: ReadonlyMap<string, JsonValue>): string {
    const { name, run, slotCount, context, globals } = this.#template;
    const state = new RenderState(
      context.names.map((known) =>
        variables.has(known) ? (variables.get(known) as Value) : globals.get(known),
      ),
    );
    return located(name, state, () => {
      const frame = new Frame(state, null, slotCount);
      run(frame);
      return boundedText(finishedOutput(frame));
    });
  }
}

/** Runs an action and adds the place to its error; a stack that ran out is a bound too. */
function located<Result>(name: string, state: RenderState | null, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (error instanceof TemplateFailure) throw error.locate(name, state?.line ?? 1);
    if (error instanceof RangeError) {
      throw boundExceeded(`depth of nesting (${error.message})`).locate(name, state?.line ?? 1);
    }
    throw error;
  }
}
