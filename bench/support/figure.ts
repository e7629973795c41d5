/** One line of the report. A `limit` is what the value may be at most. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit?: string;
  readonly limit?: number;
  readonly note?: string;
}

export interface BenchContext {
  /** The checkout. */
  readonly root: string;
}

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}
