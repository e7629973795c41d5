/** The governor's view of a terminal. */
export interface MemoryHolder {
  readonly id: string;
  /** Changes when it prints. */
  readonly parsedBytes: number;
  readonly scrollbackLines: number;
  readonly scrollbackLimit: number;
  readonly outputPaused: boolean;
  /** Estimate of the bytes that it holds. */
  weigh(): number;
  /** Drops the older half of the scrollback (the last few lines all at once) and keeps it from growing again; returns the lines dropped. */
  halveScrollback(): number;
  /** Its scrollback grows no further, whatever has been read already. */
  pauseOutput(): void;
  resumeOutput(): void;
}

/** The heaviest first. */
export function byWeight(holders: Iterable<MemoryHolder>): { holder: MemoryHolder; bytes: number }[] {
  return Array.from(holders, (holder) => ({ holder, bytes: holder.weigh() })).toSorted((a, b) => b.bytes - a.bytes);
}
