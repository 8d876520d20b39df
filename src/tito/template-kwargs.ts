/**
 * Layers of chat template kwargs: what a family requires, what the server is configured with, what
 * a request brings.
 *
 * Reports    InvalidRequestError when a layer contradicts the family, in the original's words.
 */
import { represent } from "../chat-template/printing.ts";
import { errorText, InvalidRequestError } from "../errors.ts";
import { parseJson } from "../json/lossless.ts";
import { jsonEqual } from "../json/python-equality.ts";
import type { JsonObject } from "../json/values.ts";
import { UsageError } from "../usage-error.ts";
import type { TitoFamilyDefinition } from "./family.ts";

/**
 * The kwargs that a server is configured with.
 *
 * @param text JSON of an object
 * @throws UsageError
 */
export function parseConfiguredKwargs(text: string): JsonObject {
  let problem = "it is JSON of another kind";
  try {
    const kwargs = parseJson(text);
    if (kwargs instanceof Map) return kwargs;
  } catch (error) {
    problem = errorText(error);
  }
  const fault = { setting: "chatTemplateKwargs", problem, expected: "a JSON object" } as const;
  throw new UsageError(problem, { fault });
}

/** `given` with what the family requires and completes. */
export function familyKwargs(definition: TitoFamilyDefinition, given: JsonObject): JsonObject {
  const kwargs = new Map(given);
  for (const [name, required] of definition.requiredKwargs) {
    const value = kwargs.get(name);
    if (value !== undefined && !jsonEqual(value, required)) {
      throw new InvalidRequestError(
        `chat template kwarg ${name}=${represent(value)} conflicts with the value registered ` +
          `for ${definition.className}: ${represent(required)}`,
      );
    }
    kwargs.set(name, required);
  }
  return definition.completeKwargs(kwargs);
}

/** `request` over `base`; one alias in the request takes all aliases out of the base. */
export function mergeKwargs(
  base: JsonObject,
  request: JsonObject,
  aliases: readonly string[],
): JsonObject {
  const merged = new Map(base);
  if (aliases.some((name) => request.has(name))) {
    for (const name of aliases) merged.delete(name);
  }
  for (const [name, value] of request) merged.set(name, value);
  return merged;
}
