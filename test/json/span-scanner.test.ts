import { describe, expect, test } from "bun:test";
import { SpanSyntaxError } from "../../src/json/span-error.ts";
import { SpanScanner } from "../../src/json/span-scanner.ts";
import { jsonNestingMax } from "../../src/limits.ts";
import golden from "../golden/replay_payload_shapes.json";
import { CollectingSink, reassemble, type Scan, scan, scanChunks } from "./span-scan.ts";

function inMetaInfo(members: string): string {
  return `{"choices":[{"index":0,"meta_info":{${members}}}],"usage":null}`;
}

function values(result: Scan): string[] {
  return result.payloads.map(
    ({ choiceIndex, name, value }) => `${choiceIndex} ${name} ${value.toString()}`,
  );
}

/** Whole, and byte by byte: both must be the same. */
function scanBothWays(text: string | Uint8Array): Scan {
  const bytes = Buffer.from(text);
  const whole = scan(bytes);
  const byByte = scanChunks(Array.from(bytes, (byte) => Uint8Array.of(byte)));
  expect(byByte).toEqual(whole);
  expect(reassemble(whole).equals(bytes)).toBe(true);
  return whole;
}

function syntaxError(text: string | Uint8Array): SpanSyntaxError {
  const bytes = Buffer.from(text);
  const errors = [[bytes], Array.from(bytes, (byte) => Uint8Array.of(byte))].map((chunks) => {
    try {
      scanChunks(chunks);
    } catch (error) {
      if (error instanceof SpanSyntaxError) return error;
      throw error;
    }
    throw new Error(`accepted: ${bytes.toString()}`);
  });
  expect(errors[1]?.message).toBe(errors[0]?.message as string);
  return errors[0] as SpanSyntaxError;
}

describe("SpanScanner strips", () => {
  test("what the original stripped from its recorded replies", () => {
    for (const step of golden.steps) {
      if (step.op !== "chat") continue;
      const upstream = step.upstream_reply?.body ?? "";
      expect(JSON.parse(scanBothWays(upstream).skeleton)).toEqual(JSON.parse(step.reply.body));
    }
  });

  test("a payload wherever it stands among the members, with exactly one comma", () => {
    const payload = '"routed_experts":"AB"';
    expect(scanBothWays(inMetaInfo(payload)).skeleton).toBe(inMetaInfo(""));
    expect(scanBothWays(inMetaInfo(`${payload},"a":1`)).skeleton).toBe(inMetaInfo('"a":1'));
    expect(scanBothWays(inMetaInfo(`"a":1,${payload}`)).skeleton).toBe(inMetaInfo('"a":1'));
    expect(scanBothWays(inMetaInfo(`"a":1,${payload},"b":2`)).skeleton).toBe(
      inMetaInfo('"a":1,"b":2'),
    );
  });

  test("two payloads side by side, apart, and alone", () => {
    const one = '"routed_experts":"AB"';
    const two = '"indexer_topk":[1,[2]]';
    const expected = ['0 routed_experts "AB"', "0 indexer_topk [1,[2]]"];
    for (const members of [`${one},${two}`, `${one},"a":1,${two}`, `"a":1,${one},${two}`]) {
      const result = scanBothWays(inMetaInfo(members));
      expect(values(result)).toEqual(expected);
      expect(result.skeleton).toBe(inMetaInfo(members.includes('"a"') ? '"a":1' : ""));
    }
  });

  test("any kind of value, as the text that was sent", () => {
    const sent = [
      '"A\\u0041\\"\\\\"',
      "null",
      "true",
      "-0.50e+1",
      "7",
      "{}",
      '{"routed_experts":[1, 2 ]}',
      '[ [0,3] ,[], {"x":null}]',
      "NaN",
      "-Infinity",
    ];
    for (const value of sent) {
      const result = scanBothWays(inMetaInfo(`"a":1,"indexer_topk": ${value} ,"b":2`));
      expect(values(result)).toEqual([`0 indexer_topk ${value}`]);
      expect(result.skeleton).toBe(inMetaInfo('"a":1 ,"b":2'));
    }
  });

  test("keys written with escapes, which are the same keys to a JSON parser", () => {
    const key = [..."routed_experts"].map((letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);
    const escaped = `{"ch\\u006fices":[{"meta\\u005finfo":{"${key.join("")}":"A","x":1}}]}`;
    expect(values(scanBothWays(escaped))).toEqual(['0 routed_experts "A"']);
    expect(values(scanBothWays(inMetaInfo('"routed\\/experts":1')))).toEqual([]);
  });

  test("duplicates, of the payload and of the objects around it", () => {
    const twice = inMetaInfo('"routed_experts":"A","routed_experts":"B","c":1');
    expect(values(scanBothWays(twice))).toEqual(['0 routed_experts "A"', '0 routed_experts "B"']);
    expect(scan(twice).skeleton).toBe(inMetaInfo('"c":1'));
    const doubled =
      '{"choices":[{"meta_info":{"indexer_topk":1},"meta_info":{"indexer_topk":2}},3,4],' +
      '"choices":[0,{"meta_info":{"indexer_topk":3}}]}';
    expect(values(scanBothWays(doubled))).toEqual([
      "0 indexer_topk 1",
      "0 indexer_topk 2",
      "1 indexer_topk 3",
    ]);
  });

  test("each choice under its index, whatever stands between them", () => {
    const text =
      '{"choices":[{"meta_info":{"routed_experts":"A"}},null,[1,2,{"meta_info":{}}],5,' +
      '{"meta_info":{"a":[1,2,3],"routed_experts":"B"}}]}';
    expect(values(scanBothWays(text))).toEqual(['0 routed_experts "A"', '4 routed_experts "B"']);
    const numbers = '{"choices":[7,8,9,{"meta_info":{"routed_experts":1}}]}';
    expect(values(scanBothWays(numbers))).toEqual(["3 routed_experts 1"]);
  });

  test("white space in any place", () => {
    const text =
      '\t{ "choices" :\r\n [ { "meta_info" : { "routed_experts" : "A" , "a" : 1 } } ] }\n ';
    const result = scanBothWays(text);
    expect(values(result)).toEqual(['0 routed_experts "A"']);
    expect(JSON.parse(result.skeleton)).toEqual({ choices: [{ meta_info: { a: 1 } }] });
  });
});

describe("SpanScanner leaves", () => {
  test("the same names everywhere else", () => {
    const member = '"routed_experts":"A"';
    const texts = [
      `{${member}}`,
      `{"meta_info":{${member}}}`,
      `{"choices":{"meta_info":{${member}}}}`,
      `{"choices":[[{"meta_info":{${member}}}]]}`,
      `{"choices":[{"meta_info":[{${member}}]}]}`,
      `{"choices":[{"meta_info":{"x":{${member}}}}]}`,
      `{"choices":[{"message":{"meta_info":{${member}}}}]}`,
      `{"choices":[{${member}}]}`,
      `{"other":{"choices":[{"meta_info":{${member}}}]}}`,
      `[{"choices":[{"meta_info":{${member}}}]}]`,
      `{"choices":[{"message":{"content":"{\\"meta_info\\":{\\"routed_experts\\":1}}"}}]}`,
      `{"choices":[{"meta_info":{"routed_expert":1,"routed_expertss":2,"Indexer_topk":3}}]}`,
      `{"choices":1,"x":[{"meta_info":{${member}}}]}`,
      `{"choices":[{"meta_info":1,"x":{${member}}}]}`,
    ];
    for (const text of texts) {
      const result = scanBothWays(text);
      expect(values(result)).toEqual([]);
      expect(result.skeleton).toBe(text);
    }
  });

  test("numbers as they were written, and Python's NaN and infinities", () => {
    const text = '{"a":[1.0,-0,12345678901234567890,1E400,NaN,Infinity,-Infinity,0.10e-5]}';
    expect(scanBothWays(text).skeleton).toBe(text);
  });

  test("bytes in strings that are not UTF-8", () => {
    const text = Buffer.concat([
      Buffer.from('{"a":"'),
      Buffer.from([0xff, 0x80, 0xc3]),
      Buffer.from('"}'),
    ]);
    expect(Buffer.from(scanBothWays(text).document.skeleton).equals(text)).toBe(true);
  });

  test("a top-level value that is no object, and says so", () => {
    for (const text of ["[]", "1", "-0.5e1", '"x"', "null", " true ", "NaN"]) {
      const { document, skeleton } = scanBothWays(text);
      expect({ isObject: document.isObject, skeleton }).toEqual({
        isObject: false,
        skeleton: text,
      });
    }
    expect(scan("{}").document.isObject).toBe(true);
  });

  test("a byte order mark out of the skeleton, and says so", () => {
    const { document, skeleton } = scanBothWays("\ufeff{}");
    expect({ mark: document.byteOrderMark, skeleton }).toEqual({ mark: true, skeleton: "{}" });
  });
});

describe("SpanScanner rejects", () => {
  test.each([
    ["", 0, "a value"],
    ["  ", 2, "a value"],
    ["<html>", 0, "a value"],
    ["{", 1, "a key or '}'"],
    ['{"a"', 4, "':'"],
    ['{"a":', 5, "a value"],
    ['{"a":1', 6, "',' or '}'"],
    ['{"a":1,', 7, "a key"],
    ['{"a":1,}', 7, "a key"],
    ["{1:2}", 1, "a key or '}'"],
    ["[1,]", 3, "a value"],
    ["[1 2]", 3, "',' or ']'"],
    ["[1}", 2, "',' or ']'"],
    ['{"a":1]', 6, "',' or '}'"],
    ["[", 1, "a value or ']'"],
    ["[1,2,3", 6, "',' or ']'"],
    ["{} {}", 3, "the end of the document"],
    ["1 2", 2, "the end of the document"],
    ['"abc', 4, "the end of a string"],
    ['"a\\', 3, "the end of a string"],
    ['"\\x"', 2, "an escape character"],
    ['"\\u12G4"', 5, "a hexadecimal digit"],
    ['"a\nb"', 2, "no control character in a string"],
    ["tru", 3, "true"],
    ["nulL", 3, "null"],
    ["nan", 1, "null"],
    ["-x", 1, "a digit"],
    ["-", 1, "a digit"],
    ["1.", 2, "a digit"],
    ["[1.]", 3, "a digit"],
    ["[1e+]", 4, "a digit"],
    ["[01]", 2, "',' or ']'"],
    ["[1,02]", 4, "',' or ']'"],
    ["[.5]", 1, "a value or ']'"],
    ["[+1]", 1, "a value or ']'"],
    ["-Inf", 4, "Infinity"],
    ["\u00a0{}", 0, "a value"],
    [" \ufeff{}", 1, "a value"],
  ])("%j at byte %d: %s", (text, offset, expected) => {
    const error = syntaxError(text);
    expect([error.offset, error.expected]).toEqual([offset, expected]);
  });

  test("half a byte order mark, and any other encoding", () => {
    expect(syntaxError(Uint8Array.of(0xef, 0xbb)).offset).toBe(2);
    expect(syntaxError(Uint8Array.of(0xef, 0xbb, 0x7b)).offset).toBe(2);
    expect(syntaxError(Buffer.from("{}", "utf16le")).offset).toBe(1);
  });

  test("a control character in a long payload or text, at its exact place", () => {
    for (const place of [70, 71, 72, 73, 1_000, 4_095]) {
      const letters = Buffer.alloc(5_000, "A");
      letters[place] = 0x1f;
      const before = Buffer.from('{"choices":[{"meta_info":{"routed_experts":"');
      const text = Buffer.concat([before, letters, Buffer.from('"}}]}')]);
      expect(syntaxError(text).offset).toBe(before.length + place);
      const content = Buffer.concat([Buffer.from('"'), letters, Buffer.from('"')]);
      expect(syntaxError(content).offset).toBe(1 + place);
    }
  });

  test("nesting beyond the limit, and nothing at the limit", () => {
    const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    scanBothWays(nested(jsonNestingMax));
    expect(syntaxError(nested(jsonNestingMax + 1)).offset).toBe(jsonNestingMax);
  });

  test("whatever is pushed after it failed or finished, as a bug of the caller", () => {
    const failed = new SpanScanner(new CollectingSink());
    expect(() => failed.push(Buffer.from("}"))).toThrow(SpanSyntaxError);
    expect(() => failed.push(Buffer.from("{}"))).toThrow("takes no more");
    expect(() => failed.finish()).toThrow("not after a failure");
    const finished = new SpanScanner(new CollectingSink());
    finished.push(Buffer.from("{}"));
    finished.finish();
    expect(() => finished.finish()).toThrow("finishes once");
  });
});
