/** The beginning and the end of something too long, within a budget. */

export interface HeadAndTail<T> {
  readonly head: readonly T[];
  readonly tail: readonly T[];
  readonly omitted: { readonly count: number; readonly bytes: number };
}

/** Whole items only: about half of the budget for the head, what that leaves for the tail. */
export function headAndTail<T>(items: readonly T[], maxBytes: number, bytesOf: (item: T) => number): HeadAndTail<T> {
  const sizes = items.map(bytesOf);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total <= maxBytes) return { head: items, tail: [], omitted: { count: 0, bytes: 0 } };
  let headEnd = 0;
  let kept = 0;
  for (; kept + (sizes[headEnd] ?? 0) <= maxBytes / 2; headEnd++) kept += sizes[headEnd] ?? 0;
  let tailStart = items.length;
  for (; tailStart > headEnd && kept + (sizes[tailStart - 1] ?? 0) <= maxBytes; tailStart--) {
    kept += sizes[tailStart - 1] ?? 0;
  }
  return {
    head: items.slice(0, headEnd),
    tail: items.slice(tailStart),
    omitted: { count: tailStart - headEnd, bytes: total - kept },
  };
}
