/** Entries that rules make of a screen, and the changes by which a reader follows them. */

export interface Entry {
  /** The same for the same terminal, program and rules. */
  readonly id: string;
  readonly terminal: string;
  readonly kind: string;
  readonly rule: string;
  /** Grows with each change of what it says. */
  readonly version: number;
  /** Whether it may still change. */
  readonly open: boolean;
  /** Time of its first sight, in milliseconds since the Unix epoch. */
  readonly ts: number;
  /** Screen revision of its last change. */
  readonly rev: number;
  /** Lasting number of its first line; null on the alternate screen, and in a region or title. */
  readonly line: number | null;
  /** Lines that it spans. */
  readonly lines: number;
  /**
   * Region in which it stood at `rev`; null for what is not in the viewport. Absent in entries of files from before there was one.
   */
  readonly region?: EntryRegion | null | undefined;
  readonly confidence: number;
  /** Captures of its rule, and its `text`. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Cells of the viewport, the last ones left out. */
export interface EntryRegion {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** `delete`: what was taken for an entry is none. */
export type EntryOp = 'upsert' | 'finalize' | 'delete';

export interface EntryChange {
  readonly op: EntryOp;
  /** Entry after the change. */
  readonly entry: Entry;
}

/** @param place key, or place of the first line with a count of those before it there */
export function entryId(terminal: string, generation: number, kind: string, place: string): string {
  return `e${process
    .getBuiltinModule('node:crypto')
    .createHash('sha256')
    .update(JSON.stringify([terminal, generation, kind, place]))
    .digest('hex')
    .slice(0, 12)}`;
}
