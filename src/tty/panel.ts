/** Panel that has the keyboard in place of the program: a question, the help, a list, the scrollback. */
import type { MirrorRow } from '../mirror/mirror.js';
import type { MouseFields } from './mouse-report.js';
import type { StatusLine } from './status-line.js';

export interface Panel {
  readonly status: StatusLine;
  /** Column of the cursor in the status line; undefined for none. */
  readonly cursorCol?: number | undefined;
  /** Rows in place of the screen; undefined for the screen itself. */
  readonly rows?: readonly MirrorRow[] | undefined;
  /** The first column of those rows that is seen. */
  readonly left?: number;
  /** Lines over the lowest rows. @param rows the most that are seen, of so many columns */
  overlay(rows: number, cols: number): readonly string[];
  /** @param key a character or a sequence, in bytes as characters of latin1 @returns true to be closed */
  take(key: string): boolean;
  /** @param report with row and column of the person's terminal @returns true to be closed */
  mouse?(report: MouseFields): boolean;
}
