import { describe, expect, test } from "bun:test";
import { scan } from "./span-scan.ts";

/** Before and after of each member that was taken out of this meta_info. */
function taken(members: string): { around: string[][]; left: string } {
  const { document, skeleton } = scan(`{"choices":[{"meta_info":{${members}}}]}`);
  return {
    around: document.members.map(({ before, after }) =>
      [before, after].map((bytes) => Buffer.from(bytes).toString()),
    ),
    left: skeleton.slice('{"choices":[{"meta_info":{'.length, -"}}]}".length),
  };
}

describe("SpanMembers", () => {
  test("takes the comma before a member that something precedes", () => {
    expect(taken('"a":1 , "routed_experts" : 2 , "b":3')).toEqual({
      around: [[', "routed_experts" : ', ""]],
      left: '"a":1  , "b":3',
    });
  });

  test("takes the comma after a member that nothing precedes", () => {
    expect(taken(' "routed_experts":2 , "b":3')).toEqual({
      around: [['"routed_experts":', " ,"]],
      left: '  "b":3',
    });
  });

  test("takes no comma from an object that had one member", () => {
    expect(taken(' "indexer_topk":2 ')).toEqual({ around: [['"indexer_topk":', ""]], left: "  " });
  });

  test("takes one comma less than members when none stays", () => {
    expect(taken('"indexer_topk":1,"routed_experts":2,"indexer_topk":3')).toEqual({
      around: [
        ['"indexer_topk":', ","],
        ['"routed_experts":', ","],
        ['"indexer_topk":', ""],
      ],
      left: "",
    });
  });

  test("notes the bytes of each value and where it goes back in", () => {
    const { document } = scan('{"choices":[{"meta_info":{"a":1,"routed_experts":"xyz"}}]}');
    expect(document.members[0]).toMatchObject({
      choiceIndex: 0,
      name: "routed_experts",
      offset: '{"choices":[{"meta_info":{"a":1'.length,
      valueBytes: 5,
    });
  });
});
