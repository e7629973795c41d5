/** Consecutive lines as one text, each ended by a line feed. Rows that were printed as one line are one line. */
export interface LineBlock {
  readonly text: string;
  /** Start of each line in the text, and the end of the last one: one entry more than there are lines. */
  readonly starts: readonly number[];
  /** Lasting number of the first row of each line. */
  readonly numbers: readonly number[];
}

export function lineOf({ text, starts }: LineBlock, i: number): string {
  return text.slice(starts[i], (starts[i + 1] ?? 0) - 1);
}
