/** Texts on which tokenizers are known to differ. */

/** A character where it meets what may change its pieces or its normal form. */
export function surroundings(character: string): string[] {
  const x = character;
  return [
    `a${x}b`,
    ` ${x}${x} x`,
    `1${x}2`,
    `'${x}x I'${x}${x}`,
    `\n${x}\n ${x}`,
    `e${x}\u0301${x}`,
    `!${x}! ${x}.`,
    `A${x}B${x}a ${x}Q`,
  ];
}

const scripts = [
  "The quick brown fox jumps over the lazy dog. It's John's; they'd say \"don't\".",
  "强化学习的训练需要精确的词元编号，每一轮对话都会复用。",
  "セッションサーバーはトークンの履歴を保持し、ｶﾀｶﾅも混在。",
  "세션 서버는 대화의 토큰을 정확하게 유지합니다.",
  "\u1112\u1161\u11ab\u1100\u116e\u11a8\u110b\u1165",
  "Зимний лес стоит; l'été déjà passé, naïveté, Ångström, Straße, ﬁn.",
  "مرحبا بالعالم، ١٢٣٤٥ نص عربي",
  "नमस्ते दुनिया क्षत्रिय १२३४",
  "สวัสดีชาวโลก ๑๒๓ ยินดีต้อนรับ",
  "👩‍👩‍👧‍👦 👍🏽 🇩🇪🇫🇷 ✅❌ \u2764\ufe0f",
  "def f(x):\n    return x ** 2  # comment\n\n\n\tif not x:\r\n\t\tpass\n",
  '{"a": [1, 2.50, -3e-7], "b\\n": null}\n',
  "https://example.com/path?q=1&r=%20#x user@example.org C:\\dir\\file.txt",
  "\u16ea0\u{16ea0} \u{1e6c0}\u{11de0} \u1acf\u1acf x \u0378 \u{10ffff} \u{e0001}\ufdd0\uffff",
];

const contractions = ["'s", "'t", "'re", "'ve", "'m", "'ll", "'d"].flatMap((word) => [
  `I${word} x`,
  `I${word.toUpperCase()}x`,
  ` ${word}${word}`,
  `1${word}\n`,
]);
const foldedContractions = ["'\u017f", "'\u212a", "'\u0130", "'l\u017f", "'\ufb06", "\u2019s"].map(
  (word) => `I${word} it${word}x`,
);

const digitGroups = ["0", "\u0660", "\u0966", "\u0e50", "\uff10", "\u{1d7d8}", "\u2160", "\u00bd"]
  .flatMap((digit) => [1, 2, 3, 4, 7].map((count) => digit.repeat(count)))
  .map((digits) => `x ${digits}${digits}.${digits}y`);

const runs = [" ", "\t", "\n", "\r\n", "\u00a0", "\u3000", "=", "a", "\u4e2d", "\u0301", "ab "]
  .flatMap((unit) =>
    [1, 2, 3, 4, 5, 8, 17, 63, 64, 65, 129, 5_000].map((count) => unit.repeat(count)),
  )
  .flatMap((run) => [run, `x${run}y`, `${run}\n${run}x`]);

const controls = Array.from({ length: 0xa1 }, (_, code) => String.fromCharCode(code))
  .concat([
    ..."\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u2028\u2029\u2060\ufeff\ufffc\ufffd",
  ])
  .flatMap((control) => [control, `a${control}b ${control} ${control}${control}c`]);

const composed = [
  "e\u0301 E\u0301 a\u0323\u0301 a\u0301\u0323 \u1ea1\u0301",
  "\u0041\u030a \u212b \u00c5 \u2126 \u212a",
  "\u0958 \u0915\u093c \u0b47\u0b3e \u09c7\u09be",
  "\u1100\u1161 \u1100\u1161\u11a8 \uac00\u11a8 \uac01",
  "\u0344 \u0374 \u037e \u0387 \u2000 \u2001 \uf900 \ufb1d \u{1d15e}",
  "e\u07fd\u0301 \u0d3b \u{113c2}\u{113c2} \u{1611e}\u{1611e} \u{16d67}\u{16d67}",
  `q${"\u0301\u0323".repeat(40)}x`,
];

/** Letters of three bytes and less than a cache entry, and words of more than a kilobyte. */
const longWords = ["\u4e2d\u6587", "Zg", "x1", "\u0e01", "=-"].map((unit) => unit.repeat(700));

/** @param markers the added tokens of the tokenizer */
export function hardTexts(markers: readonly string[]): string[] {
  const shownMarkers = markers.slice(0, 40);
  const aroundMarkers = shownMarkers.flatMap((marker) => [
    marker,
    `a${marker}b`,
    ` ${marker}\n${marker}${marker} `,
    `${marker}\u0301e`,
    `e${marker}\u0301`,
    marker.slice(0, -1),
    `${marker.slice(0, 3)}${marker}`,
    `${marker}'s ${marker.toUpperCase()}`,
  ]);
  return [
    "",
    ...scripts,
    ...contractions,
    ...foldedContractions,
    ...digitGroups,
    ...runs,
    ...controls,
    ...composed,
    ...longWords,
    ...aroundMarkers,
    scripts.join(" ").repeat(20),
  ];
}
