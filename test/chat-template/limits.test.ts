/**
 * What one render may cost: each bound of a template is met exactly, and one past it is refused. The
 * templates say the numbers themselves where they can, so that no bound moves unnoticed.
 */
import { describe, expect, test } from "bun:test";
import { parseInteger } from "../../src/chat-template/conversion.ts";
import { TemplateError } from "../../src/chat-template/errors.ts";
import { fixed } from "../../src/chat-template/number-format.ts";
import {
  integerDigitsMax,
  templateCallDepthMax,
  templateIntegerBitsMax,
  templateIterationsMax,
  templateListItemsMax,
  templatePrecisionMax,
  templateRangeItemsMax,
  templateTextUnitsMax,
} from "../../src/limits.ts";
import { hangMs } from "../harness/time-limit.ts";
import { failure, render } from "./rendering.ts";

function refusal(source: string): string {
  const error = failure(() => render(source));
  expect(error).toBeInstanceOf(TemplateError);
  return error.reason;
}

/** Loops that iterate so often altogether; a range has at most 100,000 items. */
function loops(iterations: number): string {
  const rounds = Math.floor(iterations / 100_001);
  const rest = iterations - rounds * 100_001;
  return (
    `{% for a in range(${rounds}) %}{% for b in range(100000) %}{% endfor %}{% endfor %}` +
    `{% for c in range(${rest}) %}{% endfor %}`
  );
}

describe("one render takes", () => {
  test(
    "10,000,000 iterations of all loops together",
    () => {
      expect(templateIterationsMax).toBe(10_000_000);
      expect(render(loops(templateIterationsMax))).toBe("");
      expect(refusal(loops(templateIterationsMax + 1))).toStartWith("number of loop iterations");
    },
    hangMs,
  );

  test("a string of 64 Mi units, and an output of as many", () => {
    expect(templateTextUnitsMax).toBe(64 * 1024 * 1024);
    const text = (units: number) => `{{ 'x' * ${units} }}`;
    expect(render(text(templateTextUnitsMax))).toHaveLength(templateTextUnitsMax);
    expect(refusal(text(templateTextUnitsMax + 1))).toStartWith("length of a string");
    expect(refusal(`${text(templateTextUnitsMax)}y`)).toContain("exceeds the bound");
    // A loop is stopped on its way, not when it has filled the memory.
    const loop = `{% for i in range(6) %}{{ 'x' * ${templateTextUnitsMax / 4} }}{% endfor %}`;
    expect(refusal(loop)).toStartWith("length of the output");
  });

  test("a list of 10,000,000 items", () => {
    expect(templateListItemsMax).toBe(10_000_000);
    const list = (items: number) => `{{ ([0] * ${items}) | length }}`;
    expect(render(list(templateListItemsMax))).toBe(String(templateListItemsMax));
    expect(refusal(list(templateListItemsMax + 1))).toStartWith("length of a list");
  });

  test("200 macro calls inside each other", () => {
    expect(templateCallDepthMax).toBe(200);
    const calls = (depth: number) =>
      `{% macro m(n) %}{% if n > 1 %}{{ m(n - 1) }}{% endif %}x{% endmacro %}{{ m(${depth}) }}`;
    expect(render(calls(templateCallDepthMax))).toBe("x".repeat(templateCallDepthMax));
    expect(refusal(calls(templateCallDepthMax + 1))).toStartWith("depth of macro calls");
  });

  test("an integer of 65,536 bits, the sign's included", () => {
    expect(templateIntegerBitsMax).toBe(65_536);
    // 2 ** (bits - 2) has bits - 1 digits and a sign; a power counts the digits of its base.
    const half = templateIntegerBitsMax / 2;
    const product = (exponent: number) => `{{ 2 ** ${half} * 2 ** ${exponent - half} > 0 }}`;
    expect(render(product(templateIntegerBitsMax - 2))).toBe("True");
    expect(refusal(product(templateIntegerBitsMax - 1))).toStartWith("size of an integer");
    expect(refusal(`{{ 2 ** ${half + 1} }}`)).toStartWith("size of an integer");
  });

  test("a range of 100,000 items, as Jinja's sandbox", () => {
    expect(templateRangeItemsMax).toBe(100_000);
    const range = (items: number) => `{{ range(${items}) | length }}`;
    expect(render(range(templateRangeItemsMax))).toBe(String(templateRangeItemsMax));
    const error = failure(() => render(range(templateRangeItemsMax + 1)));
    expect(error.reason).toContain("MAX_RANGE (100000)");
  });

  test("99 digits after the point", () => {
    expect(templatePrecisionMax).toBe(99);
    expect(fixed(1, templatePrecisionMax)).toBe(`1.${"0".repeat(templatePrecisionMax)}`);
    expect(failure(() => fixed(1, templatePrecisionMax + 1)).reason).toStartWith("precision of");
  });

  test("a text of 4,300 digits for an integer, as Python", () => {
    expect(integerDigitsMax).toBe(4_300);
    const digits = (count: number) => parseInteger("1".repeat(count), 10);
    expect(digits(integerDigitsMax)).toBe(BigInt("1".repeat(integerDigitsMax)));
    expect(digits(integerDigitsMax + 1)).toBeUndefined();
  });
});
