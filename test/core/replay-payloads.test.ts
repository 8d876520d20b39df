import { describe, expect, test } from "bun:test";
import { requireReplayPayloads } from "../../src/core/replay-payloads.ts";
import { UpstreamError } from "../../src/errors.ts";
import { SpanScanner } from "../../src/json/span-scanner.ts";

/** The payloads of a reply whose first choice has this meta_info. */
function payloadsOf(metaInfo: string, ...otherChoices: string[]) {
  const scanner = new SpanScanner({ begin() {}, write: () => 0, end() {} });
  const choices = [metaInfo, ...otherChoices].map((text) => `{"meta_info":${text}}`);
  scanner.push(Buffer.from(`{"choices":[${choices.join(",")}]}`));
  return scanner.finish().members;
}

const both = { routedExperts: true, indexerTopk: true };

describe("requireReplayPayloads()", () => {
  test.each(['"AAAA"', "[[1,2],[3]]", '{"a":"routed_experts"}'])("is content with %s", (value) => {
    const members = payloadsOf(`{"routed_experts":${value},"indexer_topk":${value}}`);
    requireReplayPayloads(members, both);
  });

  test.each(["{}", '{"routed_experts":null}', '{"routed_experts":""}', '{"routed_experts":[]}'])(
    "names payload and flag when it finds %s",
    (metaInfo) => {
      const check = () =>
        requireReplayPayloads(payloadsOf(metaInfo), { routedExperts: true, indexerTopk: false });
      expect(check).toThrow(UpstreamError);
      expect(check).toThrow(
        "the reply has no meta_info.routed_experts, which this server asks for with every turn: " +
          "start the backend with --enable-return-routed-experts, or this server without asking",
      );
    },
  );

  test("asks for each payload by itself, and for the first choice", () => {
    expect(() => requireReplayPayloads(payloadsOf('{"routed_experts":"AAAA"}'), both)).toThrow(
      "start the backend with --enable-return-indexer-topk",
    );
    const second = payloadsOf("{}", '{"routed_experts":"AAAA","indexer_topk":"AAAA"}');
    expect(() => requireReplayPayloads(second, both)).toThrow("routed_experts");
  });

  test("asks for nothing that the server does not ask for", () => {
    requireReplayPayloads([], { routedExperts: false, indexerTopk: false });
  });
});
