/** A screen at one instant, as far as rules read it. Plain values: whoever has the same looks finds the same entries. */
import type { SnapshotRow } from '../vt/snapshot.js';

export interface LookLine {
  /** Lasting number of its first row; on the alternate screen the row of the viewport. */
  readonly number: number;
  /** Rows that it takes. */
  readonly rows: number;
  /** Text without blanks at its end. */
  readonly text: string;
}

export interface Look {
  readonly rev: number;
  /** Milliseconds since the Unix epoch. */
  readonly ts: number;
  readonly altScreen: boolean;
  /** Lines have other numbers than in the look before, since they were laid out anew. */
  readonly renumbered: boolean;
  readonly title: string;
  /** `STATE KIND APP: MSG` of what the program says it is doing, `-` for what it leaves out; empty if it says nothing. */
  readonly report: string;
  /** Number of the viewport's first row. */
  readonly top: number;
  /** Number of the row of the cursor. */
  readonly cursor: number;
  /** The last line is still being printed: the cursor stands behind it. */
  readonly unfinished: boolean;
  /** Lines from the one that the engine asked for, without blank ones at the end. */
  readonly lines: readonly LookLine[];
  /** Lines follow that are not in this look. */
  readonly more: boolean;
  readonly viewport: readonly SnapshotRow[];
}
