/** Python's order of texts: by code points, where JavaScript compares UTF-16 code units. */

/** Negative, zero or positive, as for Array.sort(). */
export function compareCodePoints(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    if (left.charCodeAt(index) === right.charCodeAt(index)) continue;
    const difference = (left.codePointAt(index) ?? 0) - (right.codePointAt(index) ?? 0);
    // Second halves of pairs with the same first half compare as code units do.
    return difference;
  }
  return left.length - right.length;
}
