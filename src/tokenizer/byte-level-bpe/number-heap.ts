/**
 * A binary heap of numbers in a plain array, the smallest first: how both byte-pair mergers find
 * the pair that is next.
 */

export function pushNumber(heap: number[], entry: number): void {
  let index = heap.length;
  heap.push(entry);
  while (index > 0) {
    const parent = (index - 1) >>> 1;
    const above = heap[parent] as number;
    if (above <= entry) break;
    heap[index] = above;
    index = parent;
  }
  heap[index] = entry;
}

/** Removes the smallest entry of a heap that is not empty. */
export function popSmallest(heap: number[]): number {
  const smallest = heap[0] as number;
  const last = heap.pop() as number;
  const length = heap.length;
  if (length === 0) return smallest;
  let index = 0;
  for (;;) {
    let child = 2 * index + 1;
    if (child >= length) break;
    if (child + 1 < length && (heap[child + 1] as number) < (heap[child] as number)) child += 1;
    if ((heap[child] as number) >= last) break;
    heap[index] = heap[child] as number;
    index = child;
  }
  heap[index] = last;
  return smallest;
}
