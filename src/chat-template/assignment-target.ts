/**
 * What may stand on the left side of an assignment.
 */
import { syntaxError } from "./errors.ts";
import type { Expression, Target } from "./syntax-tree.ts";

/** A name or a tuple of names; anything else is a syntax error. */
export function asTarget(node: Expression): Target {
  if (node.kind === "name") return node;
  if (node.kind === "tuple") {
    return { kind: "tuple", line: node.line, items: node.items.map(asTarget) };
  }
  const kind = node.kind === "constant" ? "const" : node.kind;
  throw syntaxError(`can't assign to '${kind}'`, node.line);
}
