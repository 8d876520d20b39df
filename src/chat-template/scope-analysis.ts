/**
 * Fills scopes with the names that statements read and assign. Statements with a scope of their own
 * (loops, macros, blocks) are seen from outside here; their inside is analysed when it is compiled.
 */
import type { Scope } from "./scopes.ts";
import { type Expression, type Statement, subexpressions, type Target } from "./syntax-tree.ts";

export function analyzeBody(scope: Scope, statements: readonly Statement[]): void {
  for (const statement of statements) analyzeStatement(scope, statement);
}

export function analyzeExpression(scope: Scope, node: Expression): void {
  if (node.kind === "name") scope.load(node.name);
  for (const part of subexpressions(node)) analyzeExpression(scope, part);
}

/** Targets of loops and `with` are parameters of the scope inside. */
export function analyzeTarget(scope: Scope, target: Target, asParameter: boolean): void {
  switch (target.kind) {
    case "name":
      if (asParameter) scope.declareParameter(target.name);
      else scope.store(target.name);
      return;
    case "namespace":
      scope.load(target.name);
      return;
    case "tuple":
      for (const item of target.items) analyzeTarget(scope, item, asParameter);
  }
}

function analyzeStatement(scope: Scope, statement: Statement): void {
  switch (statement.kind) {
    case "output":
      for (const part of statement.parts) {
        if (typeof part !== "string") analyzeExpression(scope, part);
      }
      return;
    case "if": {
      analyzeExpression(scope, statement.condition);
      // Always three branches, empty ones among them: a name must be assigned in all of them.
      const branches = [statement.body, statement.elifs, statement.otherwise].map((body) => {
        const branch = scope.branch();
        analyzeBody(branch, body);
        return branch;
      });
      scope.merge(branches);
      return;
    }
    case "for":
      analyzeExpression(scope, statement.iterable);
      return;
    case "set":
      analyzeExpression(scope, statement.value);
      analyzeTarget(scope, statement.target, false);
      return;
    case "set block":
      analyzeTarget(scope, statement.target, false);
      return;
    case "filter block":
      analyzeExpression(scope, statement.filter);
      return;
    case "with":
      for (const value of statement.values) analyzeExpression(scope, value);
      return;
    case "macro":
      scope.store(statement.name);
      return;
    case "call block":
      analyzeExpression(scope, statement.call);
      return;
    default:
      return;
  }
}
