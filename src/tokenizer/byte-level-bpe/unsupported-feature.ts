/**
 * What a tokenizer definition asks for and this tokenizer does not do exactly. Not an error of the
 * definition: the Rust library may know the feature, or knows better what is wrong.
 */
export class UnsupportedFeatureError extends Error {
  override readonly name = "UnsupportedFeatureError";
}

/** @throws UnsupportedFeatureError unless `condition` holds */
export function requireFeature(condition: boolean, feature: string): asserts condition {
  if (!condition) throw new UnsupportedFeatureError(feature);
}
