/**
 * Python's character classes and case mappings where JavaScript's differ or are missing.
 *
 * Source     Unicode data by the runtime's tables; digits and numerals that regular expressions
 *            cannot name, and title case, are listed here (Unicode 14, as in Python 3.11).
 */
import { whitespaceClass } from "./text.ts";

/** Digits that are no decimals (superscripts, circled digits, ...): str.isdigit() takes them. */
const otherDigits =
  "\\u{b2}\\u{b3}\\u{b9}\\u{1369}-\\u{1371}\\u{19da}\\u{2070}\\u{2074}-\\u{2079}" +
  "\\u{2080}-\\u{2089}\\u{2460}-\\u{2468}\\u{2474}-\\u{247c}\\u{2488}-\\u{2490}\\u{24ea}" +
  "\\u{24f5}-\\u{24fd}\\u{24ff}\\u{2776}-\\u{277e}\\u{2780}-\\u{2788}\\u{278a}-\\u{2792}" +
  "\\u{10a40}-\\u{10a43}\\u{10e60}-\\u{10e68}\\u{11052}-\\u{1105a}\\u{1f100}-\\u{1f10a}";

/** Ideographs that stand for a number: str.isnumeric() takes them. */
const numerals =
  "㐅㒃㠪㭍一七万三九二五亖亿什仟仨伍佰億兆兩八六十千卄卅卌叁参參叄四壱壹幺廾廿弌弍弎弐拾捌柒漆玖百肆萬" +
  "貮貳贰阡陆陌陸零\\u{f96b}\\u{f973}\\u{f978}\\u{f9b2}\\u{f9d1}\\u{f9d3}\\u{f9fd}" +
  "\\u{20001}\\u{20064}\\u{200e2}\\u{20121}\\u{2092a}\\u{20983}\\u{2098c}\\u{2099c}\\u{20aea}" +
  "\\u{20afd}\\u{20b19}\\u{22390}\\u{22998}\\u{23b1b}\\u{2626d}\\u{2f890}";

const all = (characterClass: string) => new RegExp(`^[${characterClass}]+$`, "u");

/** The str.is...() methods that ask the same of every character; all are false of "". */
export const characterTests: Readonly<Record<string, RegExp>> = {
  isalpha: all("\\p{L}"),
  isdecimal: all("\\p{Nd}"),
  isdigit: all(`\\p{Nd}${otherDigits}`),
  isnumeric: all(`\\p{N}${numerals}`),
  isalnum: all(`\\p{L}\\p{N}`),
  isspace: all(whitespaceClass),
  isidentifier: /^[\p{XIDS}_]\p{XIDC}*$/u,
};

const notPrintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

export function isPrintable(text: string): boolean {
  return !notPrintable.test(text);
}

const upperCase = /\p{Uppercase}/u;
const lowerCase = /\p{Lowercase}/u;
const titleCase = /\p{Lt}/u;

export function isUpper(text: string): boolean {
  return upperCase.test(text) && !lowerCase.test(text) && !titleCase.test(text);
}

export function isLower(text: string): boolean {
  return lowerCase.test(text) && !upperCase.test(text) && !titleCase.test(text);
}

/** str.istitle(): upper case after what has no case, lower case after what has. */
export function isTitle(text: string): boolean {
  let afterCased = false;
  let found = false;
  for (const character of text) {
    if (upperCase.test(character) || titleCase.test(character)) {
      if (afterCased) return false;
      afterCased = true;
      found = true;
    } else if (lowerCase.test(character)) {
      if (!afterCased) return false;
      found = true;
    } else {
      afterCased = false;
    }
  }
  return found;
}

/** Title case that is not upper case of the first letter and lower case of the rest. */
const titleCases: ReadonlyMap<string, string> = new Map([
  ["ŉ", "ʼN"],
  ...["ǅǄǆ", "ǈǇǉ", "ǋǊǌ", "ǲǱǳ", "ᾼᾳ", "ῌῃ", "ῼῳ"].flatMap((group) => {
    const [title = "", ...others] = group;
    return [[title, title] as const, ...others.map((other) => [other, title] as const)];
  }),
  ["ᾲ", "\u1fba\u0345"],
  ["ᾴ", "\u0386\u0345"],
  ["ᾷ", "\u1fbc\u0342"],
  ["ῂ", "\u1fca\u0345"],
  ["ῄ", "\u0389\u0345"],
  ["ῇ", "\u1fcc\u0342"],
  ["ῲ", "\u1ffa\u0345"],
  ["ῴ", "\u038f\u0345"],
  ["ῷ", "\u1ffc\u0342"],
]);

/** The title case of one character, which may be several characters. */
function titleCharacter(character: string): string {
  const listed = titleCases.get(character);
  if (listed !== undefined) return listed;
  // Georgian letters have capitals but no title case.
  if (/[\u10d0-\u10fa\u10fd-\u10ff]/.test(character)) return character;
  // Greek letters with a iota below: eight small ones, then their title cases.
  if (/[\u1f80-\u1faf]/.test(character)) {
    return String.fromCharCode(character.charCodeAt(0) | 8);
  }
  const [first = "", ...rest] = character.toUpperCase();
  return first + rest.join("").toLowerCase();
}

/** str.title() */
export function titleText(text: string): string {
  let afterCased = false;
  return mapCharacters(text, (character, index) => {
    const mapped = afterCased ? lowerAt(text, index, character) : titleCharacter(character);
    afterCased = isCased(character);
    return mapped;
  });
}

/** str.capitalize() */
export function capitalizeText(text: string): string {
  return mapCharacters(text, (character, index) =>
    index === 0 ? titleCharacter(character) : lowerAt(text, index, character),
  );
}

/** `map` gets each character and its UTF-16 index. */
function mapCharacters(text: string, map: (character: string, index: number) => string): string {
  let result = "";
  let index = 0;
  for (const character of text) {
    result += map(character, index);
    index += character.length;
  }
  return result;
}

/** Lower case of one character; a sigma's depends on what stands around it. */
function lowerAt(text: string, index: number, character: string): string {
  if (character !== "Σ") return character.toLowerCase();
  const before = text.slice(0, index).toLowerCase();
  return text.toLowerCase()[before.length] ?? "";
}

function isCased(character: string): boolean {
  return upperCase.test(character) || lowerCase.test(character) || titleCase.test(character);
}

/** str.swapcase() */
export function swapCase(text: string): string {
  return mapCharacters(text, (character, index) => {
    if (upperCase.test(character)) return lowerAt(text, index, character);
    return lowerCase.test(character) ? character.toUpperCase() : character;
  });
}
