import { describe, expect, test } from "bun:test";
import { Scope, Unit } from "../../src/chat-template/scopes.ts";

describe("Scope", () => {
  test("reads the variable outside and assigns one of its own", () => {
    const outer = Scope.root();
    outer.store("a");
    const inner = outer.inner();
    inner.load("a");
    const outside = outer.find("a");
    expect(inner.find("a")).toBe(outside as never);
    inner.store("a");
    const own = inner.find("a");
    expect(own).not.toBe(outside as never);
    expect(own && inner.initialOf(own)).toEqual({ kind: "copy", of: outside as never });
  });

  test("gives every variable of a function a slot of its own", () => {
    const outer = Scope.root();
    outer.store("a");
    outer.inner().declareParameter("a");
    outer.inner(new Unit(outer.unit)).store("a");
    expect(outer.unit.slotCount).toBe(2);
  });

  test("makes one variable of a name in several branches", () => {
    const scope = Scope.root();
    const branches = [scope.branch(), scope.branch(), scope.branch()];
    branches[0]?.store("a");
    branches[1]?.store("a");
    scope.merge(branches);
    const variable = scope.find("a");
    expect(scope.unit.slotCount).toBe(1);
    expect(variable && scope.initialOf(variable)).toEqual({ kind: "context" });
  });

  test("needs no value from before when all branches assign", () => {
    const scope = Scope.root();
    const branches = [scope.branch(), scope.branch()];
    for (const branch of branches) branch.store("a");
    scope.merge(branches);
    const variable = scope.find("a");
    expect(variable && scope.initialOf(variable)).toEqual({ kind: "undefined" });
  });
});
