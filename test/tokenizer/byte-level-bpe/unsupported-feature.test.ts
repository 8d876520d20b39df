import { expect, test } from "bun:test";
import {
  requireFeature,
  UnsupportedFeatureError,
} from "../../../src/tokenizer/byte-level-bpe/unsupported-feature.ts";

test("requireFeature() names the feature that is not implemented", () => {
  expect(() => requireFeature(true, "dropout")).not.toThrow();
  expect(() => requireFeature(false, "dropout")).toThrow(new UnsupportedFeatureError("dropout"));
});
