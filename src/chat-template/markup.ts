/**
 * markupsafe.Markup: text that HTML escaping leaves alone, as `safe` and `escape` give it.
 *
 * Contract   printing, joining, comparing, testing and writing it as JSON are exact. Operations
 *            that would escape the other side or give Markup again (+, %, methods, most filters)
 *            are refused with a TemplateError: no chat template needs them, for nothing is escaped.
 */
import { runtimeError } from "./errors.ts";
import { boundedText, characters } from "./text.ts";
import { PythonObject, type Represent, type Value } from "./values.ts";

export class Markup extends PythonObject {
  readonly typeName = "Markup";
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }

  represent(represent: Represent): string {
    return `Markup(${represent(this.text)})`;
  }

  override print(): string {
    return this.text;
  }

  override length(): number {
    return characters(this.text).length;
  }

  override iterator(): Iterator<Value> {
    return characters(this.text).values();
  }

  override attribute(name: string): Value | undefined {
    throw unsupportedMarkup(`.${name}`);
  }

  override item(_key: Value): Value | undefined {
    throw unsupportedMarkup("[...]");
  }

  override equals(other: Value): boolean {
    return other === this.text || (other instanceof Markup && other.text === this.text);
  }
}

/** Filters that are exact on Markup. */
const exactFilters: ReadonlySet<string> = new Set([
  "count",
  "d",
  "default",
  "e",
  "escape",
  "forceescape",
  "join",
  "length",
  "list",
  "safe",
  "string",
  "tojson",
]);

export function checkMarkupFilter(name: string): void {
  if (!exactFilters.has(name)) throw unsupportedMarkup(`| ${name}`);
}

export function unsupportedMarkup(operation: string) {
  return runtimeError(`Markup ${operation} is not supported by this template engine`);
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "'": "&#39;",
  '"': "&#34;",
};

/** markupsafe.escape of a text */
export function escapeHtml(text: string): Markup {
  return new Markup(text.replace(/[&<>'"]/g, (character) => entities[character] ?? character));
}

/** left + right where one is Markup and the other text, which is escaped; otherwise undefined. */
export function addMarkup(left: Value, right: Value): Markup | undefined {
  if (!(left instanceof Markup || right instanceof Markup)) return undefined;
  const first = asMarkup(left);
  const second = asMarkup(right);
  if (first === undefined || second === undefined) return undefined;
  return new Markup(boundedText(first.text + second.text));
}

function asMarkup(value: Value): Markup | undefined {
  if (value instanceof Markup) return value;
  return typeof value === "string" ? escapeHtml(value) : undefined;
}
