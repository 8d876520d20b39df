/**
 * Binding call arguments to the parameters of built-in functions, with Python's errors.
 */
import { typeError } from "./errors.ts";
import type { Keywords, Value } from "./values.ts";

export interface Signature {
  readonly name: string;
  readonly parameters: readonly string[];
  /** Parameters, from the left, that must be given. */
  readonly required: number;
  /** The parameters cannot be given by name, as in most methods of built-in types. */
  readonly positionalOnly?: boolean;
}

/** One value per parameter, undefined where it was not given. */
export function bindArguments(
  signature: Signature,
  args: readonly Value[],
  keywords: Keywords,
): (Value | undefined)[] {
  const { name, parameters, required } = signature;
  if (args.length > parameters.length) {
    throw typeError(
      `${name}() takes at most ${parameters.length} argument(s) (${args.length} given)`,
    );
  }
  const bound: (Value | undefined)[] = [...args];
  for (const [keyword, value] of keywords) {
    const index = parameters.indexOf(keyword);
    if (index < 0 || signature.positionalOnly === true) {
      throw typeError(`${name}() got an unexpected keyword argument '${keyword}'`);
    }
    if (bound[index] !== undefined) {
      throw typeError(`${name}() got multiple values for argument '${keyword}'`);
    }
    bound[index] = value;
  }
  for (let index = 0; index < required; index += 1) {
    if (bound[index] === undefined) {
      throw typeError(`${name}() missing required argument '${parameters[index]}'`);
    }
  }
  return bound;
}
