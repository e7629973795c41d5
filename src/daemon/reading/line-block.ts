/** Lines one after the other, each ended by a line feed. Rows that were printed as one line are one. */
export interface LineBlock {
  readonly text: string;
  /** Where each line starts in the text, and where the last one ends: one more than there are lines. */
  readonly starts: readonly number[];
  /** Lasting number of the first row of each line. */
  readonly numbers: readonly number[];
}

export function lineOf({ text, starts }: LineBlock, i: number): string {
  return text.slice(starts[i], (starts[i + 1] ?? 0) - 1);
}
