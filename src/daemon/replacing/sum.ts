/** What both sides of a replacement compare of a terminal. */
import { rowText } from '../../vt/rows/row-text.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { TerminalSum } from './frames.js';

export function sumOf({ id, screen }: Pick<Terminal, 'id' | 'screen'>): TerminalSum {
  const { rev, parsedBytes, pendingBytes, totalLines } = screen;
  const last = screen.row(totalLines - 1);
  return {
    id,
    rev,
    seenBytes: parsedBytes + pendingBytes,
    lines: screen.firstLineNumber + totalLines,
    lastText: last === undefined ? '' : rowText(last),
  };
}
